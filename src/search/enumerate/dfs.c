/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dfs.c - explores every interleaving once, depth first.  The reference for all reductions.  Ignores the bound. */
#include "search/core/strategies.h"
#include "search/enumerate/enumerate.h"

static bool dfs_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return hd_enumerate_open(self, cfg, HD_COST_NONE);
}

const struct hd_strategy_ops hd_strategy_dfs = {
    .name = "dfs",
    .split = HD_SPLIT_TASKS,
    .summary = "every interleaving once, depth first",
    .traits = { .coverage = HD_COVERS_SCHEDULES, .awaits = true },
    .open = dfs_open,
    .begin = hd_enumerate_begin,
    .pick = hd_enumerate_pick,
    .choose = hd_enumerate_choose,
    .end = hd_enumerate_end,
    .repeats = HD_REPEATS_BUT_LAST,
    .reducible = true,
    .branch = hd_enumerate_branch,
    .tell = hd_enumerate_tells,
};
