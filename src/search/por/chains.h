/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chains.h - finds the latest access to an object before a step, or in a cut.
 *
 * The accesses to an object form a chain from the latest to the first (trace.h).  Following it from its end
 * would take time proportional to the length of the execution for each query about an early step.  So each
 * access also has a link to one further back, as the entries of history.h do (H2).
 *
 * A cut is a set of steps that is closed under happens-before, given by a number of steps of each thread.
 *
 * C1  Accesses to one object of different classes (read, write, update) conflict, and so do two writes.
 *     Conflicting accesses are ordered, so if an access is outside the cut, so are all later ones that conflict
 *     with it.  Only later accesses of the same class, before the next access of another class, may still be in
 *     the cut; these form its group.  If the class is write, or the whole group belongs to one thread, they are
 *     outside the cut too.
 * C2  So all accesses before the group of the latest access in the cut are in the cut. */
#ifndef HD_SEARCH_POR_CHAINS_H
#define HD_SEARCH_POR_CHAINS_H

#include "base/limits.h"
#include "search/por/trace.h"

#define HD_CHAINS_HINTS HD_LIMIT(64, 2)

struct hd_chain_link {
    uint32_t jump;   /* 1 + an earlier access; 0: none */
    uint32_t next;   /* 1 + the next access, valid only if that one's `previous` is this one; 0: none */
    uint32_t number; /* position in the chain, from 1 */
    bool ends;       /* the next access of the chain has another class, so the group ends here */
};

struct hd_chains {
    const struct hd_trace *trace;
    uint32_t n;                 /* accesses of the trace that are linked */
    struct hd_chain_link *link; /* [HD_TRACE_ACCESSES] */
    uint32_t before[HD_CHAINS_HINTS]; /* by object: the latest answers of hd_chains_before, because the next
                                       * answer is often near */
    uint32_t in_cut[HD_CHAINS_HINTS]; /* the latest answers of hd_chains_in_cut */
    uint64_t work;              /* accesses passed; tests check this */
};

void hd_chains_init(struct hd_chains *c, const struct hd_trace *t, struct hd_arena *arena);

/* Call when the trace has dropped its latest steps, before it grows again. */
void hd_chains_keep(struct hd_chains *c);
/* Call when the trace has grown. */
void hd_chains_reach(struct hd_chains *c);

/* Accesses are given as 1 + their index in the trace; 0 means none.  Returns the latest access to the object
 * before the step. */
uint32_t hd_chains_before(struct hd_chains *c, uint32_t obj, uint32_t step);
/* Returns the first access to the object. */
uint32_t hd_chains_first(const struct hd_chains *c, uint32_t obj);
/* Returns the latest access in the cut among access i and those before it in its chain. */
uint32_t hd_chains_in_cut(struct hd_chains *c, uint32_t i, const uint32_t *cut);
/* Returns an access such that it and all accesses before it are in the cut.  Access i is a result of
 * hd_chains_in_cut. */
uint32_t hd_chains_whole(const struct hd_chains *c, uint32_t i);

#endif
