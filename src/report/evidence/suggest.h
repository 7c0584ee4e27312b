/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.h - how the program could be repaired.  A suggestion is made only where the events, the
 * locks and the values of the failing execution leave little doubt; otherwise there is none. */
#ifndef HD_REPORT_EVIDENCE_SUGGEST_H
#define HD_REPORT_EVIDENCE_SUGGEST_H

#include "report/evidence/report.h"
#include "report/print/text.h"

struct hd_suggestion {
    const char *idea; /* one word for it: "broadcast" (docs/reports.md) */
    char text[1200];  /* a sentence without "Suggestion: " */
};

/* Returns false if nothing is certain enough. */
bool hd_suggestion_find(const struct hd_report *r, struct hd_suggestion *out);

/* Prints "Suggestion: ...", or nothing. */
void hd_suggestion_text(const struct hd_text *t, const struct hd_report *r);

#endif
