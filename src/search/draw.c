/* SPDX-License-Identifier: BSD-2-Clause
 *
 * draw.c - functions that several random strategies put into their tables. */
#include "search/draw.h"

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
