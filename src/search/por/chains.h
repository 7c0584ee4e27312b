/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chains.h - the accesses to an object before a step, or in a cut.
 *
 * The accesses to an object form a chain from the latest to the first (trace.h).  Following it from its end would
 * take time proportional to the length of the execution for each query about an early step.  So each access also
 * refers to one further back, like the entries of history.h (H2).
 *
 * A cut is a set of steps that is closed under happens-before, given by a number of steps of each thread.
 *
 * C1  Accesses of different classes conflict, and so do writes.  So an access outside the cut excludes all later
 *     ones, except the accesses of its own class before the next one of another class (its group).  A write excludes
 *     these, too, and so does any access in a group of one thread.
 * C2  So all accesses before the group of the latest access in the cut are in the cut. */
#ifndef HD_SEARCH_POR_CHAINS_H
#define HD_SEARCH_POR_CHAINS_H

#include "base/limits.h"
#include "search/por/trace.h"

#define HD_CHAINS_HINTS HD_LIMIT(64, 2)

struct hd_chain_link {
    uint32_t jump;   /* an earlier access + 1; 0: none */
    uint32_t next;   /* the next access + 1, if its `previous` is this one; else there is none */
    uint32_t number; /* within the chain, from 1 */
    bool ends;       /* the next access of the chain is of another class */
};

struct hd_chains {
    const struct hd_trace *trace;
    uint32_t n;                 /* accesses of the trace that are linked */
    struct hd_chain_link *link; /* [HD_TRACE_ACCESSES] */
    uint32_t before[HD_CHAINS_HINTS]; /* by object: the latest answers; the next answer is often near */
    uint32_t in_cut[HD_CHAINS_HINTS]; /* the same for cuts */
    uint64_t work;              /* accesses passed; tests check this */
};

void hd_chains_init(struct hd_chains *c, const struct hd_trace *t, struct hd_arena *arena);

/* Call when the trace has lost its latest steps, before it grows again. */
void hd_chains_keep(struct hd_chains *c);
/* The trace has grown. */
void hd_chains_reach(struct hd_chains *c);

/* The latest access to the object before the step + 1; 0: none. */
uint32_t hd_chains_before(struct hd_chains *c, uint32_t obj, uint32_t step);
/* The first access to the object + 1; 0: none. */
uint32_t hd_chains_first(const struct hd_chains *c, uint32_t obj);
/* The latest access in the cut, from access i - 1 back, + 1; 0: none. */
uint32_t hd_chains_in_cut(struct hd_chains *c, uint32_t i, const uint32_t *cut);
/* An access + 1 such that it and all before it are in the cut.  i: the result of
 * hd_chains_in_cut; or 0. */
uint32_t hd_chains_whole(const struct hd_chains *c, uint32_t i);

#endif
