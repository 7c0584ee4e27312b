/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idb.c - iterative delay bounding: explores all schedules that skip no thread of the round-robin order, then
 * those that skip one, and so on.  With many threads there are far fewer schedules per bound than with ipb.
 * Parameter finish=1: stop after the bound at which the first bug was found. */
#include "search/core/strategies.h"
#include "search/enumerate/enumerate.h"

static bool idb_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return hd_enumerate_open(self, cfg, HD_COST_DELAYS);
}

const struct hd_strategy_ops hd_strategy_idb = {
    .name = "idb",
    .split = HD_SPLIT_TASKS,
    .summary = "iterative delay bounding: schedules with 0, 1, 2 ... delays",
    .traits = { .coverage = HD_COVERS_SCHEDULES, .bound = HD_BOUND_DELAYS, .deepens = HD_DEEPENS_ALWAYS,
                .awaits = true, .tries_first = true },
    .params = hd_enumerate_params,
    .open = idb_open,
    .begin = hd_enumerate_begin,
    .pick = hd_enumerate_pick,
    .choose = hd_enumerate_choose,
    .end = hd_enumerate_end,
    .repeats = HD_REPEATS_BUT_LAST,
    .reducible = true,
    .branch = hd_enumerate_branch,
    .tell = hd_enumerate_tells,
};
