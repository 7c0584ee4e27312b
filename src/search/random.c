/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - the controlled random walk: at every point each enabled thread is
 * equally likely.  Ignores yields and remembers nothing, so it never completes;
 * execution i depends on (seed, i) only. */
#include "search/count.h"
#include "search/strategies.h"

struct random_walk {
    uint64_t seed;
    struct hd_rng rng;
};

static const char *const known_params[] = { NULL };

static bool random_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct random_walk *r = hd_strategy_state(*self, cfg, sizeof *r);

    *self = r;
    r->seed = cfg->seed;
    return hd_strategy_params_known(cfg->params, known_params);
}

static uint32_t random_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct random_walk *r = self;

    (void)now;
    r->rng = hd_rng_for(r->seed, index);
    return 0;
}

/* Member number k of the set, from 0. */
static hd_tid nth_member(const struct hd_set *set, uint32_t k)
{
    unsigned i = 0;
    uint64_t w = set->w[0];

    for (;;) {
        uint32_t here = hd_count_bits(w);

        if (k < here)
            break;
        k -= here;
        w = set->w[++i];
    }
    if (HD_UNLIKELY(k >= 4)) {
        for (; k >= 4; k--)
            w &= w - 1;
    }
    /* Selections instead of a loop: k cannot be predicted. */
    w = k >= 1 ? w & (w - 1) : w;
    w = k >= 2 ? w & (w - 1) : w;
    w = k >= 3 ? w & (w - 1) : w;
    return (hd_tid)(i * 64 + (unsigned)__builtin_ctzll(w));
}

static hd_tid random_pick(void *self, const struct hd_point *at)
{
    struct random_walk *r = self;
    uint32_t n = hd_count_members(&at->enabled, at->nthreads);

    return nth_member(&at->enabled, n == 1 ? 0 : hd_rng_below(&r->rng, n));
}

static uint32_t random_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct random_walk *r = self;

    (void)at;
    return hd_rng_below(&r->rng, n);
}

static void random_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                       struct hd_cursor *next, struct hd_outcome *out)
{
    (void)self;
    (void)done;
    (void)now;
    (void)next;
    out->bound = -1;
}

const struct hd_strategy_ops hd_strategy_random = {
    .name = "random",
    .skips_forced = true,
    .split = HD_SPLIT_INDEX,
    .summary = "random walk: every enabled thread is equally likely at every point",
    .open = random_open,
    .begin = random_begin,
    .pick = random_pick,
    .choose = random_choose,
    .end = random_end,
};
