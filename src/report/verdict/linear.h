/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - the sequential orders with which executions were compared (heddle linearize), in the summary. */
#ifndef HD_REPORT_VERDICT_LINEAR_H
#define HD_REPORT_VERDICT_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "linear/kept.h"
#include "report/print/text.h"

/* heddle linearize: the outcomes with which the executions were compared. */
struct hd_result_linear {
    uint32_t orders, outcomes; /* number of sequential orders, and of their different outcomes */
    uint32_t blocked;    /* sequential executions in which an operation was blocked */
    uint64_t judged;     /* executions that were compared */
    uint64_t by_rule;    /* how many of these agree with a sequential order only by a rule weaker than equality */
    struct hd_lin_saved saved[HD_LIN_COMPONENTS]; /* which rules these are; a name of 0 bytes ends the list */
    bool overlapped;     /* operations of different clients overlapped in time */
    enum hd_lin_criterion criterion;
    char idle[64];       /* a client without operations in every sequential order; "": there is none */
    char ignored[256];   /* components that are not compared, separated by commas; "": there are none */
    char empty[64];      /* a component without elements after every sequential order; "": there is none */
    char endless[256];   /* an operation that returns in no sequential order; "": there is none */
    bool left_out;       /* there are sequential orders without operations that do not return in some executions */
    bool sampled;        /* the sequential executions are a sample: an outcome may be missing */
    bool has_state;      /* the test describes its state at the end, or has probes */
};

/* Prints with how many sequential orders the executions were compared, and what limits the comparison.  Prints nothing
 * if l is NULL. */
void hd_linear_text(const struct hd_text *t, const struct hd_result_linear *l);

#endif
