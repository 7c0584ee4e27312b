/* SPDX-License-Identifier: BSD-2-Clause
 *
 * draw.c - functions that several sampling strategies use in their tables. */
#include "search/sample/draw.h"

bool hd_draw_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct hd_draws *d = hd_strategy_state(*self, cfg, sizeof *d);

    *self = d;
    d->seed = cfg->seed;
    return true;
}

uint32_t hd_draw_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct hd_draws *d = self;

    (void)now;
    d->rng = hd_rng_for(d->seed, index);
    return 0;
}

uint32_t hd_draw_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct hd_draws *d = self;

    (void)at;
    return hd_rng_below(&d->rng, n);
}

void hd_draw_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                 struct hd_cursor *next, struct hd_outcome *out)
{
    (void)self;
    (void)done;
    (void)now;
    (void)next;
    out->bound = -1;
}
