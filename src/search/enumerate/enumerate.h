/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate.h - depth-first enumeration of all schedules up to a cost: the common part of
 * dfs, ipb and idb, which differ in the cost of a switch.
 *
 * The alternatives of a point are tried in creation order, beginning with the thread that ran last and wrapping
 * around.  So the first execution has no preemptions.  A thread in at->yielded is not offered while another one
 * is enabled; switching away from a thread that has just yielded is free.  Choices branch too, at no cost.
 *
 * With a reducer (dfs+cache) an execution is cut when it reaches a state that was explored before with at least
 * the same remaining bound.  Only the first execution of each equivalence class is then counted, by the bounded
 * strategies in the pass of its least cost.  All others are redundant. */
#ifndef HD_SEARCH_ENUMERATE_ENUMERATE_H
#define HD_SEARCH_ENUMERATE_ENUMERATE_H

#include "search/core/strategy.h"

enum hd_cost {
    HD_COST_NONE,        /* dfs: one pass over everything */
    HD_COST_PREEMPTIONS, /* 1 for a switch away from a thread that could continue */
    HD_COST_DELAYS,      /* number of threads skipped in the order described above */
};

/* Parameters of the bounded strategies. */
extern const struct hd_param hd_enumerate_params[];

/* The `open` of a strategy with that cost model; the other functions serve all three strategies. */
bool hd_enumerate_open(void **self, const struct hd_strategy_cfg *cfg, enum hd_cost cost);
uint32_t hd_enumerate_begin(void *self, const struct hd_cursor *now, uint64_t index);
hd_tid hd_enumerate_pick(void *self, const struct hd_point *at);
uint32_t hd_enumerate_choose(void *self, const struct hd_point *at, uint32_t n);
void hd_enumerate_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                      struct hd_cursor *next, struct hd_outcome *out);
bool hd_enumerate_branch(const void *self, uint32_t i, struct hd_branch *out);
void hd_enumerate_tells(void *self);

#endif
