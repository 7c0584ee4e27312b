/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - the controlled random walk: at every point each enabled thread is equally
 * likely.  It ignores yields and keeps no state, so it never completes; execution i depends
 * on (seed, i) only. */
#include "search/core/strategies.h"
#include "search/sample/draw.h"

static hd_tid random_pick(void *self, const struct hd_point *at)
{
    struct hd_draws *d = self;

    return hd_draw_member(&d->rng, &at->enabled, at->nthreads);
}

const struct hd_strategy_ops hd_strategy_random = {
    .name = "random",
    .skips_forced = true,
    .split = HD_SPLIT_INDEX,
    .summary = "random walk: every enabled thread is equally likely at every point",
    .traits = { .draws = HD_DRAWS_ALIKE },
    .open = hd_draw_open,
    .begin = hd_draw_begin,
    .pick = random_pick,
    .choose = hd_draw_choose,
    .end = hd_draw_end,
};
