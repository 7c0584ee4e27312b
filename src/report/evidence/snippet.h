/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snippet.h - the source around the places that a finding is about. */
#ifndef HD_REPORT_EVIDENCE_SNIPPET_H
#define HD_REPORT_EVIDENCE_SNIPPET_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

struct hd_place {
    uint64_t pc;    /* follows a call */
    char label[64]; /* what happens there: "main, step 2" */
};

enum { HD_MAX_PLACES = 24 };

/* Blocks of source, places that are near each other in one of them, with so many lines
 * before and after.  Places whose source is not to be had are left out. */
void hd_snippet_text(const struct hd_text *t, const struct hd_report *r, const struct hd_place *places,
                     unsigned n, int context);

#endif
