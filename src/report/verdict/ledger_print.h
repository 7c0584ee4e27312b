/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger_print.h - prints the ledger (model/ledger.h) in a verdict, a summary and JSON. */
#ifndef HD_REPORT_VERDICT_LEDGER_PRINT_H
#define HD_REPORT_VERDICT_LEDGER_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include "base/json.h"
#include "model/ledger.h"
#include "report/print/text.h"

#define HD_LEDGER_NAMED 3 /* number of entries that a verdict names; the summary and JSON contain all */
#define HD_LEDGER_SENTENCE (HD_LEDGER_NAMED * HD_LEDGER_TEXT + 64)

/* Writes the entries that deny the claim: "2 places are not seen (this; that)".  Writes an empty
 * string if there are none. */
void hd_ledger_sentence(const struct hd_ledger *l, char *buf, size_t cap);

/* Prints all entries, the strongest first.  named: omit the entries that deny, if the verdict names
 * all of them. */
void hd_ledger_text(const struct hd_text *t, const struct hd_ledger *l, bool named);

/* Both print an array, in the same order: [sentence, ...] and [{"effect": ..., "text": ...}, ...]. */
void hd_ledger_sentences_json(struct hd_json *j, const struct hd_ledger *l);
void hd_ledger_json(struct hd_json *j, const struct hd_ledger *l);

#endif
