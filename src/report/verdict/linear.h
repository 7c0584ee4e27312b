/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - the sequential orders with which executions were compared (heddle linearize), in the summary. */
#ifndef HD_REPORT_VERDICT_LINEAR_H
#define HD_REPORT_VERDICT_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "report/print/text.h"

/* heddle linearize: the outcomes with which the executions were compared. */
struct hd_result_linear {
    uint32_t orders, outcomes; /* number of sequential orders, and of their different outcomes */
    uint32_t blocked;    /* sequential executions in which an operation was blocked */
    uint64_t judged;     /* executions that were compared */
    uint64_t by_rule;    /* how many of these agree with a sequential order only by a rule weaker than equality */
    bool overlapped;     /* operations of different clients overlapped in time */
    bool any_time;       /* the order need not respect real time (sequential consistency) */
    bool has_state;      /* the test describes its state at the end, or has probes */
};

/* NULL: prints nothing. */
void hd_linear_text(const struct hd_text *t, const struct hd_result_linear *l);

#endif
