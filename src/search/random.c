/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - the controlled random walk: at every point each enabled thread is
 * equally likely.  Ignores yields and remembers nothing, so it never completes;
 * execution i depends on (seed, i) only. */
#include "search/draw.h"
#include "search/strategies.h"

struct random_walk {
    struct hd_draws draws;
};

static const char *const known_params[] = { NULL };

static bool random_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct random_walk *r = hd_strategy_state(*self, cfg, sizeof *r);

    *self = r;
    r->draws.seed = cfg->seed;
    return hd_strategy_params_known(cfg->params, known_params);
}

static uint32_t random_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct random_walk *r = self;

    (void)now;
    r->draws.rng = hd_rng_for(r->draws.seed, index);
    return 0;
}

static hd_tid random_pick(void *self, const struct hd_point *at)
{
    struct random_walk *r = self;

    return hd_draw_member(&r->draws.rng, &at->enabled, at->nthreads);
}

const struct hd_strategy_ops hd_strategy_random = {
    .name = "random",
    .skips_forced = true,
    .split = HD_SPLIT_INDEX,
    .summary = "random walk: every enabled thread is equally likely at every point",
    .samples = true,
    .open = random_open,
    .begin = random_begin,
    .pick = random_pick,
    .choose = hd_draw_choose,
    .end = hd_draw_end,
};
