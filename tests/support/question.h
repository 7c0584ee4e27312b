/* SPDX-License-Identifier: BSD-2-Clause
 *
 * question.h - queries about the least number of preemptions of prefixes of an execution, as bpor_bound.c makes them. */
#ifndef HD_TESTS_SUPPORT_QUESTION_H
#define HD_TESTS_SUPPORT_QUESTION_H

#include "search/por/bpor.h"

struct question {
    struct hd_minpreempt_query q; /* it contains pointers to the following fields, so the struct must not be copied */
    struct hd_minpreempt_extra extra;
    struct hd_event pending[HD_MAX_THREADS];
};

/* Makes a query about the first k steps of the trace, with the next step of the thread as the extra step.  Returns
 * false if the thread has no suitable step; the query is then about the k steps alone. */
bool question_make(struct question *x, const struct hd_bpor *d, uint32_t k, hd_tid tid);

#endif
