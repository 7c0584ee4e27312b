/* SPDX-License-Identifier: BSD-2-Clause
 *
 * beside.h - the steps of an execution that come after step e but do not happen after it.  A sequence that reverses a
 * race of e consists of them.
 *
 * Clocks grow along a thread.  So in each thread they are consecutive, beginning with its first step after e, and
 * jumps lead to the last of them (trace.h).  The cost does not depend on the length of the execution, but on the
 * number of these steps. */
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

/* Find the steps beside e among the first nsteps steps. */
void hd_beside_find(struct hd_beside *b, uint32_t e, uint32_t nsteps);

/* The index after the last of them, without finding them; e + 1 if there is none. */
uint32_t hd_beside_end(struct hd_beside *b, uint32_t e, uint32_t nsteps);

#endif
