/* SPDX-License-Identifier: BSD-2-Clause
 *
 * probe.c - random descents that measure the tree of dfs (D. Knuth, "Estimating the
 * efficiency of backtrack programs", 1975).
 *
 * A descent takes each branch of a point with equal probability.  The product of the
 * numbers of branches on its path is an unbiased estimate of the number of leaves.  Single
 * descents vary widely if the tree is uneven; the sum of squares measures how widely.
 *
 * The product is an integer with an exponent, because it is computed while the target's floating-point settings
 * (rounding, traps) are active.  The sums in the cursor are computed between executions. */
#include "search/sample/probe.h"

#include <string.h>

#include "search/core/strategies.h"
#include "search/sample/draw.h"

struct probe {
    struct hd_draws draws;
    uint64_t product;  /* the estimate of this descent is product * 2^exponent */
    uint64_t exponent;
};

/* Words of the cursor. */
enum { CUR_N, CUR_EXPONENT, CUR_SUM, CUR_SQUARES };

static bool probe_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct probe *p = hd_strategy_state(*self, cfg, sizeof *p);

    *self = p;
    p->draws.seed = cfg->seed;
    return true;
}

static uint32_t probe_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct probe *p = self;

    (void)now;
    p->draws.rng = hd_rng_for(p->draws.seed, index);
    p->product = 1;
    p->exponent = 0;
    return 0;
}

/* Multiplies the product.  Exact below 2^62; beyond that it keeps at least 46 bits. */
static void multiply(struct probe *p, uint32_t branches)
{
    while (p->product >> 31 != 0 && p->product > (UINT64_C(1) << 62) / branches) {
        p->product >>= 1;
        p->exponent++;
    }
    p->product *= branches;
}

/* Like dfs: threads that have yielded are chosen only if there is no other. */
static hd_tid probe_pick(void *self, const struct hd_point *at)
{
    struct probe *p = self;
    struct hd_set others = hd_set_minus(&at->enabled, &at->yielded);
    const struct hd_set *offered = hd_set_is_empty(&others) ? &at->enabled : &others;

    multiply(p, hd_count_members(offered, at->nthreads));
    return hd_draw_member(&p->draws.rng, offered, at->nthreads);
}

static uint32_t probe_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct probe *p = self;

    (void)at;
    multiply(p, n);
    return hd_rng_below(&p->draws.rng, n);
}

static double halve(double v, uint64_t times)
{
    for (; times > 0 && v > 0; times--)
        v *= 0.5;
    return v;
}

static double as_double(uint64_t bits)
{
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t as_bits(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

struct hd_probe_sums hd_probe_sums(const struct hd_cursor *c)
{
    return (struct hd_probe_sums){ .n = c->w[CUR_N], .exponent = c->w[CUR_EXPONENT],
                                   .sum = as_double(c->w[CUR_SUM]),
                                   .squares = as_double(c->w[CUR_SQUARES]) };
}

void hd_probe_add(struct hd_probe_sums *to, const struct hd_probe_sums *from)
{
    struct hd_probe_sums a = *to, b = *from;

    if (a.exponent < b.exponent) {
        struct hd_probe_sums less = a;

        a = b;
        b = less;
    }
    a.n += b.n;
    a.sum += halve(b.sum, a.exponent - b.exponent);
    a.squares += halve(b.squares, 2 * (a.exponent - b.exponent));
    *to = a;
}

static void probe_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                      struct hd_cursor *next, struct hd_outcome *out)
{
    const struct probe *p = self;
    struct hd_probe_sums s = hd_probe_sums(now);
    double size = (double)p->product;

    (void)done;
    if (p->exponent > s.exponent) {
        s.sum = halve(s.sum, p->exponent - s.exponent);
        s.squares = halve(s.squares, 2 * (p->exponent - s.exponent));
        s.exponent = p->exponent;
    }
    size = halve(size, s.exponent - p->exponent);
    next->w[CUR_N] = s.n + 1;
    next->w[CUR_EXPONENT] = s.exponent;
    next->w[CUR_SUM] = as_bits(s.sum + size);
    next->w[CUR_SQUARES] = as_bits(s.squares + size * size);
    out->bound = -1;
}

const struct hd_strategy_ops hd_strategy_probe = {
    .name = "probe",
    .summary = "random descents that measure the tree of dfs; used by 'heddle estimate'",
    .traits = { .draws = HD_DRAWS_RANDOM },
    .skips_forced = true,
    .measures = true,
    .split = HD_SPLIT_INDEX,
    .open = probe_open,
    .begin = probe_begin,
    .pick = probe_pick,
    .choose = probe_choose,
    .end = probe_end,
};
