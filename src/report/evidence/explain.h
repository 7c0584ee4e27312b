/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explain.h - why an execution failed: the result of comparing it with the nearest execution that
 * passes.  Pure data: the code that compares fills it in, and every format of reports shows it. */
#ifndef HD_REPORT_EVIDENCE_EXPLAIN_H
#define HD_REPORT_EVIDENCE_EXPLAIN_H

#include "model/schedule.h"

struct hd_explanation {
    /* "fails because T2's unlock of m at q.c:41 came between T1's check at q.c:17 and its use at
     * q.c:19".  Empty if no cause is known. */
    char sentence[600];
    /* the decisive events in temporal order, as indices into the report's events */
    uint32_t event[HD_MAX_DECISIVE];
    unsigned nevents;
};

#endif
