/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger_print.h - the ledger (model/ledger.h) in a verdict, a summary and JSON. */
#ifndef HD_REPORT_VERDICT_LEDGER_PRINT_H
#define HD_REPORT_VERDICT_LEDGER_PRINT_H

#include <stddef.h>
#include <stdio.h>

#include "model/ledger.h"
#include "report/print/text.h"

#define HD_LEDGER_NAMED 3 /* number of entries that a verdict names; the summary and JSON have
                           * all */
#define HD_LEDGER_SENTENCE (HD_LEDGER_NAMED * HD_LEDGER_TEXT + 64)

/* "2 places are not seen (this; that)"; empty if nothing denies the claim. */
void hd_ledger_sentence(const struct hd_ledger *l, char *buf, size_t cap);

/* All entries, the strongest first.  named: omit the entries that deny if the verdict has
 * named them all. */
void hd_ledger_text(const struct hd_text *t, const struct hd_ledger *l, bool named);

/* [sentence, ...], and [{"text": ..., "effect": ...}, ...] in the same order. */
void hd_ledger_sentences_json(FILE *out, const struct hd_ledger *l);
void hd_ledger_json(FILE *out, const struct hd_ledger *l);

#endif
