/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ppct.c - parallel PCT (S. Nagarakatte, S. Burckhardt, M. Martin, M. Musuvathi,
 * "Multicore acceleration of priority-based schedulers for concurrency bug detection", PLDI
 * 2012).
 *
 * A bug of depth d involves at most d threads, so only these need priorities.  One thread, chosen at random,
 * starts in the low set; all others are high and run in any order.  Low threads run only if no high thread can,
 * in the order of their priorities.  At d-1 random steps the running thread moves to the low set.  A bug of
 * depth d is found with probability 1/(n k^(d-1)) or better, as by pct.
 *
 * In the paper the high threads run in parallel.  Here one thread runs at a time, so "any order" is a random
 * walk over the high threads.  It reaches schedules with many switches, which pct does not reach.
 *
 * n and k are the largest numbers of threads and steps that an execution has had so far;
 * they are kept in the cursor.
 *
 * L1  A thread that has yielded repeatedly gets a priority below all others, as in pct. */
#include "search/core/strategies.h"
#include "search/sample/changes.h"

struct ppct {
    struct hd_draws draws;
    struct hd_changes changes;
    uint32_t nknown;
    hd_tid first;   /* the thread that starts in the low set */
    int64_t lowest; /* the lowest priority that any thread has had so far */
    struct hd_set low;
    int64_t priority[HD_MAX_THREADS]; /* priorities of the low threads, all different */
};

/* Words of the cursor. */
enum { CUR_STEPS_MAX, CUR_THREADS_MAX };

static const struct hd_param params[] = {
    { "d", 1, HD_MAX_DEPTH, 3, "depth of bugs to look for (3)" },
    { .key = NULL },
};

static bool ppct_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct ppct *p = hd_strategy_state(*self, cfg, sizeof *p);

    *self = p;
    p->draws.seed = cfg->seed;
    p->changes.depth = (uint32_t)hd_param_value(params, cfg->params, "d");
    return true;
}

static uint32_t ppct_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct ppct *p = self;
    uint64_t n = now->w[CUR_THREADS_MAX];

    p->draws.rng = hd_rng_for(p->draws.seed, index);
    p->nknown = 0;
    p->lowest = 0;
    hd_set_clear(&p->low);
    p->first = (hd_tid)hd_draw_below(&p->draws.rng, n > 0 ? n : 1);
    hd_changes_draw(&p->changes, &p->draws.rng, now->w[CUR_STEPS_MAX]);
    return 0;
}

static void put_low(struct ppct *p, hd_tid t, int64_t priority)
{
    hd_set_add(&p->low, t);
    p->priority[t] = priority;
}

static void notice(struct ppct *p, const struct hd_point *at)
{
    for (; HD_UNLIKELY(p->nknown < at->nthreads); p->nknown++)
        if (p->nknown == p->first)
            put_low(p, p->first, p->changes.depth);
    if (HD_UNLIKELY(hd_set_has(&at->yielded, at->last)))
        put_low(p, at->last, --p->lowest);
}

static hd_tid highest(const struct ppct *p, const struct hd_set *among)
{
    hd_tid best = (hd_tid)hd_set_next(among, 0);

    HD_SET_EACH(t, among)
        if (p->priority[t] > p->priority[best])
            best = (hd_tid)t;
    return best;
}

static hd_tid ppct_pick(void *self, const struct hd_point *at)
{
    struct ppct *p = self;

    notice(p, at);
    struct hd_set high = hd_set_minus(&at->enabled, &p->low);
    hd_tid next = hd_set_is_empty(&high) ? highest(p, &at->enabled)
                                         : hd_draw_member(&p->draws.rng, &high, at->nthreads);
    uint32_t due = hd_changes_step(&p->changes, at);

    if (HD_UNLIKELY(due != 0))
        put_low(p, next, due);
    return next;
}

static void ppct_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    const struct ppct *p = self;

    (void)now;
    hd_changes_learn(&p->changes, done, &next->w[CUR_STEPS_MAX]);
    if (done->nthreads > next->w[CUR_THREADS_MAX])
        next->w[CUR_THREADS_MAX] = done->nthreads;
    out->bound = -1;
    out->by_depth = true;
}

const struct hd_strategy_ops hd_strategy_ppct = {
    .name = "ppct",
    .split = HD_SPLIT_INDEX,
    .summary = "like pct, but only d threads have a priority; the others run in random order above them",
    .traits = { .draws = HD_DRAWS_RANDOM },
    .params = params,
    .open = ppct_open,
    .begin = ppct_begin,
    .pick = ppct_pick,
    .choose = hd_draw_choose,
    .end = ppct_end,
};
