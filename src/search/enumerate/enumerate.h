/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate.h - depth-first enumeration of all schedules up to a cost: the
 * common part of dfs, ipb and idb, which differ in what a switch costs.
 *
 * Alternatives of a point are tried in the order last, last+1, … (creation
 * order, wrapping), so the first execution is the one without preemptions.  A
 * thread in at->yielded is not offered while another one is enabled; leaving one
 * that has just yielded costs nothing.  Choices branch too, for free.
 *
 * With a reducer (dfs+cache) an execution that comes to a state that was explored
 * before, as far as the bound allows now, is cut there.  Then the executions that are
 * counted are the first ones of each class of equivalent executions, for the bounded
 * strategies in the pass of the least cost of their class; all others are redundant. */
#ifndef HD_SEARCH_ENUMERATE_ENUMERATE_H
#define HD_SEARCH_ENUMERATE_ENUMERATE_H

#include "search/core/strategy.h"

enum hd_cost {
    HD_COST_NONE,        /* dfs: one pass over everything */
    HD_COST_PREEMPTIONS, /* 1 for leaving a thread that could go on */
    HD_COST_DELAYS,      /* threads passed over in the order above */
};

/* open of a strategy whose switches cost that; the other functions serve all. */
bool hd_enumerate_open(void **self, const struct hd_strategy_cfg *cfg, enum hd_cost cost);
uint32_t hd_enumerate_begin(void *self, const struct hd_cursor *now, uint64_t index);
hd_tid hd_enumerate_pick(void *self, const struct hd_point *at);
uint32_t hd_enumerate_choose(void *self, const struct hd_point *at, uint32_t n);
void hd_enumerate_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                      struct hd_cursor *next, struct hd_outcome *out);
bool hd_enumerate_branch(const void *self, uint32_t i, struct hd_branch *out);

#endif
