/* SPDX-License-Identifier: BSD-2-Clause
 *
 * question.h - queries about the least number of preemptions of prefixes of an execution, as bpor_bound.c makes them. */
#ifndef HD_TESTS_SUPPORT_QUESTION_H
#define HD_TESTS_SUPPORT_QUESTION_H

#include "search/por/bpor.h"

struct question {
    struct hd_minpreempt_query q; /* refers to the others: do not copy */
    struct hd_minpreempt_extra extra;
    struct hd_event pending[HD_MAX_THREADS];
};

/* About the first k steps of the trace, and the next step of the thread as the extra one.  False if it has none that
 * can be one; the query is about the k steps then. */
bool question_make(struct question *x, const struct hd_bpor *d, uint32_t k, hd_tid tid);

#endif
