/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explain.h - why an execution failed, as far as comparing it with the nearest execution
 * that did not can tell.  Pure data: who compares fills it in, every report shows it. */
#ifndef HD_REPORT_EVIDENCE_EXPLAIN_H
#define HD_REPORT_EVIDENCE_EXPLAIN_H

#include "model/schedule.h"

struct hd_explanation {
    /* "fails because T2's unlock of m at q.c:41 came between T1's check at q.c:17 and its
     * use at q.c:19"; empty: no execution nearby passes, or nobody has looked */
    char sentence[600];
    /* the decisive events, in the order of time, as indices into the report's events */
    uint32_t event[HD_MAX_DECISIVE];
    unsigned nevents;
};

#endif
