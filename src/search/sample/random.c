/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - the controlled random walk: at every point each enabled thread is equally
 * likely.  It ignores yields and keeps no state, so it never completes; execution i depends
 * on (seed, i) only. */
#include "search/core/strategies.h"
#include "search/sample/draw.h"

/* `next` is a random number drawn in advance, so that a decision need not wait for the multiplications of the
 * generator. */
struct random {
    struct hd_draws draws;
    uint64_t next;
};

static uint32_t below(struct random *s, uint32_t n)
{
    uint64_t number = s->next;

    s->next = hd_rng_next(&s->draws.rng);
    return hd_rng_scale(number, n);
}

static bool random_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct random *s = hd_strategy_state(*self, cfg, sizeof *s);

    *self = s;
    return hd_draw_open(self, cfg);
}

static uint32_t random_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct random *s = self;
    uint32_t prefix = hd_draw_begin(self, now, index);

    s->next = hd_rng_next(&s->draws.rng);
    return prefix;
}

static hd_tid random_pick(void *self, const struct hd_point *at)
{
    uint32_t n = hd_count_members(&at->enabled, at->nthreads);

    return hd_draw_nth(&at->enabled, n == 1 ? 0 : below(self, n));
}

static uint32_t random_choose(void *self, const struct hd_point *at, uint32_t n)
{
    (void)at;
    return below(self, n);
}

const struct hd_strategy_ops hd_strategy_random = {
    .name = "random",
    .skips_forced = true,
    .split = HD_SPLIT_INDEX,
    .summary = "random walk: every enabled thread is equally likely at every point",
    .traits = { .draws = HD_DRAWS_ALIKE },
    .open = random_open,
    .begin = random_begin,
    .pick = random_pick,
    .choose = random_choose,
    .end = hd_draw_end,
};
