/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - what executions were compared with (heddle linearize), in the summary. */
#ifndef HD_REPORT_VERDICT_LINEAR_H
#define HD_REPORT_VERDICT_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "report/print/text.h"

/* heddle linearize: what the executions were compared with. */
struct hd_result_linear {
    uint32_t orders, outcomes; /* sequential orders, and different outcomes of them */
    uint32_t blocked;    /* sequential executions in which an operation could not go on */
    uint64_t judged;     /* executions that were compared */
    uint64_t by_rule;    /* of these, only by a rule weaker than equality is the state that of a sequential order */
    bool overlapped;     /* operations of different clients were under way at the same time */
    bool any_time;       /* the order need not respect real time (sequential consistency) */
    bool has_state;      /* the test tells of a state at the end, or has probes */
};

/* NULL: prints nothing. */
void hd_linear_text(const struct hd_text *t, const struct hd_result_linear *l);

#endif
