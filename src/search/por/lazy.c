/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy.c - dpor-lazy: treats critical sections as independent unless their accesses conflict.  After P. Thomson,
 * "Practical systematic concurrency testing of concurrent and distributed software" (thesis, 2016), 4.3-4.4, made sound
 * as described below.
 *
 * The happens-before relation used here ignores the order of sections of lazy mutexes (sections.h).  To reverse a race
 * with a step inside a section, the racing thread runs before the whole section if it needs the same mutex to reach its
 * own operation.  Sleep sets use the full relation.
 *
 * The algorithm of the thesis loses states if a thread blocks inside a section, if mutexes can deadlock, or if a third
 * thread holds a mutex that the racing thread needs.  In each of these cases some section cannot run to its end by
 * itself.  So the search is lazy only as long as no operation that may block is executed while a mutex is held, and no
 * mutex is held at the end.  Then every section can run to its end by itself.  (Locks are then never nested, so the
 * lock graph in which the thesis looks for cycles has no edges.) Otherwise the search starts again from the root as
 * dpor.
 *
 * Several workers (frames_share.h) start again together: all learn a new fact when they begin a new pass
 * (model/learnt.h).  All workers of a pass use the lazy reduction, or all use dpor.  The speed of the workers decides
 * which execution of a lazy class comes first, and also the number of executions.
 *
 * L1  With one worker the cursor identifies the pass: it contains the number of mutexes that were ordinary when the
 *     pass began, or says that dpor runs.  New facts about mutexes take effect only by starting a new pass.  So if a
 *     killed worker's `end` is repeated, it merely finds the same facts again. */
#include "search/core/strategies.h"
#include "search/por/backtrack.h"
#include "search/por/sections.h"

struct lazy {
    struct hd_backtrack b;
    struct hd_sections sections;
    struct hd_learnt *learnt; /* NULL: there is one worker */
    void *dpor;
    bool in_dpor; /* dpor decides the current execution */
};

/* The words of the cursor after those of backtrack.h and dpor.c. */
enum { CUR_ORDINARY = 14, CUR_FELL_BACK };

static enum hd_fallback shared_fallback(const struct lazy *l)
{
    return l->learnt != NULL ? (enum hd_fallback)l->learnt->used.fallback : HD_FALLBACK_NONE;
}

static bool lazy_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct lazy *l = hd_strategy_state(*self, cfg, sizeof *l);

    *self = l;
    l->learnt = cfg->nworkers > 1 ? cfg->learnt : NULL;
    if (!cfg->plain_events || (l->learnt == NULL && cfg->nworkers > 1))
        return false;
    /* workers may share only one of the two trees */
    if ((l->learnt == NULL || shared_fallback(l) != HD_FALLBACK_NONE) && !hd_strategy_dpor.open(&l->dpor, cfg))
        return false;
    if (shared_fallback(l) != HD_FALLBACK_NONE)
        return true;
    hd_backtrack_open(&l->b, cfg);
    hd_sections_init(&l->sections, cfg->arena, l->learnt);
    l->b.sleeps = true;
    l->b.path.trace.lazy = &l->sections;
    return true;
}

static bool fell_back(const struct lazy *l, const struct hd_cursor *now)
{
    return l->learnt != NULL ? shared_fallback(l) != HD_FALLBACK_NONE : now->w[CUR_FELL_BACK] != HD_FALLBACK_NONE;
}

static uint32_t lazy_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct lazy *l = self;

    l->in_dpor = fell_back(l, now);
    return l->in_dpor ? hd_strategy_dpor.begin(l->dpor, now, index)
                      : hd_backtrack_begin(&l->b, now, index);
}

static hd_tid lazy_pick(void *self, const struct hd_point *at)
{
    struct lazy *l = self;

    return l->in_dpor ? hd_strategy_dpor.pick(l->dpor, at) : hd_backtrack_pick(&l->b, at);
}

static uint32_t lazy_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct lazy *l = self;

    return l->in_dpor ? hd_strategy_dpor.choose(l->dpor, at, n)
                      : hd_backtrack_choose(&l->b, at, n);
}

/* Reverses a race.  If a section is in the racer's way, the reversal begins before the section.  If that
 * section is still open, because the execution was cut, it is unknown whether it is in the way, so both places
 * are tried. */
static bool reverse(void *ctx, uint32_t e, const struct hd_racer *racer)
{
    struct lazy *l = ctx;
    const struct hd_trace *t = &l->b.path.trace;
    uint32_t section;

    while ((section = hd_sections_in_the_way(&l->sections, t, e, racer)) != HD_NO_STEP) {
        if (l->sections.begun[section].release == HD_NO_STEP)
            hd_backtrack_want(&l->b, e, racer->tid);
        e = section;
    }
    if (hd_reversal_make(&l->b.reversal, e, racer))
        hd_backtrack_want(&l->b, e, racer->tid);
    return false;
}

static void restart(struct hd_cursor *next, const struct lazy *l, enum hd_fallback why,
                    struct hd_outcome *out)
{
    *next = (struct hd_cursor){ { 0 } };
    next->w[CUR_ORDINARY] = l->sections.nordinary;
    next->w[CUR_FELL_BACK] = why;
    out->restarted = true;
    out->fallback = why;
}

/* Starts the search again with the facts that the sections have learnt, or as dpor.  Several workers leave the pass
 * after this execution. */
static void start_again(struct lazy *l, enum hd_fallback why, const struct hd_execution *done,
                        struct hd_cursor *next, struct hd_outcome *out)
{
    if (l->learnt == NULL) {
        restart(next, l, why, out);
        return;
    }
    if (why != HD_FALLBACK_NONE)
        hd_learnt_fallback(l->learnt, why);
    hd_backtrack_next(&l->b, done, next, out);
}

static void lazy_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct lazy *l = self;

    if (fell_back(l, now)) {
        hd_strategy_dpor.end(l->dpor, done, now, next, out);
        out->fallback = shared_fallback(l); /* the worker that caused the fallback has set the flag */
        return;
    }
    bool news = hd_sections_learn(&l->sections, done);

    if (l->learnt != NULL ? news : l->sections.nordinary != now->w[CUR_ORDINARY]) {
        start_again(l, HD_FALLBACK_NONE, done, next, out);
        return;
    }
    if (hd_backtrack_trace(&l->b, done, next)) {
        enum hd_fallback why = hd_sections_find(&l->sections, &l->b.path.trace);

        if (why != HD_FALLBACK_NONE) {
            start_again(l, why, done, next, out);
            return;
        }
        hd_backtrack_races(&l->b, reverse, l);
    }
    hd_backtrack_next(&l->b, done, next, out);
}

const struct hd_strategy_ops hd_strategy_dpor_lazy = {
    .name = "dpor-lazy",
    .repeats = HD_REPEATS_BUT_LAST,
    .split = HD_SPLIT_TASKS,
    .summary = "like dpor-classic, but critical sections commute where their accesses do",
    .traits = { .coverage = HD_COVERS_STATES, .awaits = true },
    .open = lazy_open,
    .begin = lazy_begin,
    .pick = lazy_pick,
    .choose = lazy_choose,
    .end = lazy_end,
};
