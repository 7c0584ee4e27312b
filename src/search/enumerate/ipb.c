/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ipb.c - iterative preemption bounding: explores all schedules without preemptions, then all with one, and so
 * on, until a pass prunes nothing or the bound is reached.  Most bugs need at most two preemptions, and the
 * first schedule found is the simplest.  Parameter finish=1: stop after the bound at which the first bug was
 * found. */
#include "search/core/strategies.h"
#include "search/enumerate/enumerate.h"

static bool ipb_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return hd_enumerate_open(self, cfg, HD_COST_PREEMPTIONS);
}

const struct hd_strategy_ops hd_strategy_ipb = {
    .name = "ipb",
    .split = HD_SPLIT_TASKS,
    .summary = "iterative preemption bounding: schedules with 0, 1, 2 ... preemptions",
    .traits = { .coverage = HD_COVERS_SCHEDULES, .bound = HD_BOUND_PREEMPTIONS, .deepens = HD_DEEPENS_ALWAYS,
                .awaits = true },
    .params = hd_enumerate_params,
    .open = ipb_open,
    .begin = hd_enumerate_begin,
    .pick = hd_enumerate_pick,
    .choose = hd_enumerate_choose,
    .end = hd_enumerate_end,
    .repeats = HD_REPEATS_BUT_LAST,
    .reducible = true,
    .branch = hd_enumerate_branch,
    .tell = hd_enumerate_tells,
};
