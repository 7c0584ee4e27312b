/* SPDX-License-Identifier: BSD-2-Clause
 *
 * beside.h - the steps of an execution that come after step e but do not happen after it.  These are the steps
 * that a sequence which reverses a race of e can consist of.
 *
 * The clocks of a thread's steps only grow.  So in each thread the steps beside e are consecutive and begin
 * with the thread's first step after e, and the jump links of trace.h lead to the last of them.  The cost
 * therefore depends on the number of these steps, not on the length of the execution. */
#ifndef HD_SEARCH_POR_BESIDE_H
#define HD_SEARCH_POR_BESIDE_H

#include "search/por/trace.h"

struct hd_beside {
    const struct hd_trace *trace;
    uint32_t *step; /* [HD_TRACE_STEPS]: the steps found, in order */
    uint32_t n;
    uint32_t few;   /* up to this number, examining steps one by one is cheapest */
    uint64_t work;  /* steps and threads examined; tests check this */
};

void hd_beside_init(struct hd_beside *b, const struct hd_trace *t, struct hd_arena *arena);

/* Finds the steps beside e among the first nsteps steps. */
void hd_beside_find(struct hd_beside *b, uint32_t e, uint32_t nsteps);

/* Returns the index after the last step beside e, without finding the others; e + 1 if there is none. */
uint32_t hd_beside_end(struct hd_beside *b, uint32_t e, uint32_t nsteps);

#endif
