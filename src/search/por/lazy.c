/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy.c - dpor-lazy: the order of critical sections matters only if their accesses conflict.  After P.
 * Thomson, "Practical systematic concurrency testing of concurrent and distributed software" (thesis, 2016),
 * 4.3-4.4, made sound as described below.
 *
 * The happens-before relation used here ignores the order of sections of lazy mutexes (sections.h).  To reverse
 * a race with a step inside a section, the racing thread runs before the whole section if it needs the same
 * mutex to reach its operation.  Sleep sets use the full relation.
 *
 * The algorithm of the thesis loses states if a thread blocks inside a section, if mutexes can deadlock, or if
 * a third thread holds a mutex that the racing thread needs.  In each of these cases some section cannot run to
 * its end by itself.  So the search is lazy only while every section can: no operation that may block is
 * executed while a mutex is held, and no mutex is held at the end. (Then locks are never nested, so the lock
 * graph in which the thesis looks for cycles has no edges.) Otherwise the search starts again from the root as
 * dpor.
 *
 * L1  The cursor identifies the pass, by the number of ordinary mutexes when it began, or by saying that dpor
 *     runs.  New facts about mutexes take effect only by starting a new pass.  So if a killed worker's `end` is
 *     repeated, it merely finds the same facts again. */
#include "search/core/strategies.h"
#include "search/por/backtrack.h"
#include "search/por/sections.h"

struct lazy {
    struct hd_backtrack b;
    struct hd_sections sections;
    void *dpor;
    bool in_dpor; /* dpor decides the current execution */
};

/* The words of the cursor after those of backtrack.h and dpor.c. */
enum { CUR_ORDINARY = 14, CUR_FELL_BACK };

static bool lazy_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct lazy *l = hd_strategy_state(*self, cfg, sizeof *l);

    *self = l;
    hd_backtrack_open(&l->b, cfg);
    hd_sections_init(&l->sections, cfg->arena);
    l->b.sleeps = true;
    l->b.path.trace.lazy = &l->sections;
    return cfg->nworkers <= 1 && cfg->plain_events &&
           hd_strategy_dpor.open(&l->dpor, cfg);
}

static bool fell_back(const struct hd_cursor *now)
{
    return now->w[CUR_FELL_BACK] != HD_FALLBACK_NONE;
}

static uint32_t lazy_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct lazy *l = self;

    l->in_dpor = fell_back(now);
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

static void lazy_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct lazy *l = self;

    if (fell_back(now)) {
        hd_strategy_dpor.end(l->dpor, done, now, next, out);
        return;
    }
    hd_sections_learn(&l->sections, done);
    if (l->sections.nordinary != now->w[CUR_ORDINARY]) {
        restart(next, l, HD_FALLBACK_NONE, out);
        return;
    }
    if (hd_backtrack_trace(&l->b, done, next)) {
        enum hd_fallback why = hd_sections_find(&l->sections, &l->b.path.trace);

        if (why != HD_FALLBACK_NONE) {
            restart(next, l, why, out);
            return;
        }
        hd_backtrack_races(&l->b, reverse, l);
    }
    hd_backtrack_next(&l->b, done, next, out);
}

const struct hd_strategy_ops hd_strategy_dpor_lazy = {
    .name = "dpor-lazy",
    .repeats = HD_REPEATS_BUT_LAST,
    .summary = "like dpor-classic, but critical sections commute where their accesses do",
    .traits = { .coverage = HD_COVERS_STATES, .awaits = true },
    .open = lazy_open,
    .begin = lazy_begin,
    .pick = lazy_pick,
    .choose = lazy_choose,
    .end = lazy_end,
};
