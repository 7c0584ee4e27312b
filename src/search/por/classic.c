/* SPDX-License-Identifier: BSD-2-Clause
 *
 * classic.c - dpor-classic: partial-order reduction with backtrack sets and sleep sets,
 * after Flanagan and Godefroid, "Dynamic partial-order reduction for model checking
 * software" (POPL 2005).
 *
 * It explores more executions than dpor and dpor-optimal, but needs least memory; it also serves for
 * comparison.  It differs from the paper in two points.  Races are found for each object, also for operations
 * that never ran, by comparing with the thread's clock before the operation.  And if the thread to be added
 * sleeps, all other threads are added; otherwise sleep sets would be unsound. sleep=0 disables sleep sets. */
#include "search/core/strategies.h"
#include "search/por/backtrack.h"

static const struct hd_param params[] = {
    { "sleep", 0, 1, 1, "0: without sleep sets (1)" },
    { .key = NULL },
};

static bool classic_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct hd_backtrack *b = hd_strategy_state(*self, cfg, sizeof *b);

    *self = b;
    hd_backtrack_open(b, cfg);
    b->sleeps = hd_param_value(params, cfg->params, "sleep") != 0;
    b->retry_sets = cfg->retry_sets;
    return true;
}

static uint32_t classic_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    return hd_backtrack_begin(self, now, index);
}

static hd_tid classic_pick(void *self, const struct hd_point *at)
{
    return hd_backtrack_pick(self, at);
}

static uint32_t classic_choose(void *self, const struct hd_point *at, uint32_t n)
{
    return hd_backtrack_choose(self, at, n);
}

static bool reverse(void *ctx, uint32_t e, const struct hd_racer *racer)
{
    struct hd_backtrack *b = ctx;

    if (!hd_reversal_make(&b->reversal, e, racer))
        return false;
    if (b->retry_sets)
        hd_retry_want(b, e, racer);
    else
        hd_backtrack_want(b, e, racer->tid);
    return false;
}

static void classic_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                        struct hd_cursor *next, struct hd_outcome *out)
{
    struct hd_backtrack *b = self;

    (void)now;
    if (hd_backtrack_trace(b, done, next))
        hd_backtrack_races(b, reverse, b);
    hd_backtrack_next(b, done, next, out);
}

const struct hd_strategy_ops hd_strategy_dpor_classic = {
    .name = "dpor-classic",
    .repeats = HD_REPEATS_BUT_LAST,
    .split = HD_SPLIT_TASKS,
    .summary = "partial-order reduction with backtrack sets: least memory, more repetition",
    .traits = { .coverage = HD_COVERS_CLASSES, .awaits = true },
    .params = params,
    .open = classic_open,
    .begin = classic_begin,
    .pick = classic_pick,
    .choose = classic_choose,
    .end = classic_end,
};
