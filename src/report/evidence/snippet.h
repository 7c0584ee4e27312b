/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snippet.h - the source lines around the places of a finding. */
#ifndef HD_REPORT_EVIDENCE_SNIPPET_H
#define HD_REPORT_EVIDENCE_SNIPPET_H

#include "report/evidence/describe.h"
#include "report/print/text.h"

struct hd_place {
    uint64_t pc;    /* a return address; 0: the place is `frame` */
    struct hd_frame frame;
    char label[64]; /* what happens at this place: "main, step 2" */
};

enum { HD_MAX_PLACES = 24 };

/* Prints blocks of source with `context` lines before and after each place.  Places near each other
 * share a block.  Skips places whose source cannot be read. */
void hd_snippet_text(const struct hd_text *t, const struct hd_report *r, const struct hd_place *places,
                     unsigned n, int context);

#endif
