/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pct.c - probabilistic concurrency testing (Burckhardt et al. 2010): threads get random priorities, and at d-1
 * random steps the priority of the running thread drops.  An execution with n threads and k steps finds a bug
 * of depth d with a probability of at least 1/(n k^(d-1)).
 *
 * The number of threads n needs no estimate: each new thread draws a random priority.  The
 * number of steps k is the largest that an execution has had so far; it is kept in the
 * cursor, so execution i depends on the earlier ones (of the same worker) only through that
 * number.
 *
 * pct:d=3           the i-th change point gives priority i, below all initial ones
 * pct:d=3,demote=1  it moves the thread to the end of the order instead, and a new thread enters at a random
 *                   position (Thomson 2016, 6.6.2)
 *
 * P1  order[0..nknown) holds every thread seen so far, highest priority first.
 * P2  A thread that has yielded repeatedly (at->yielded) goes to the end, so threads that
 *     wait by yielding cannot starve the ones they wait for.  A single yield or sleep
 *     changes nothing: the guarantee also covers schedules in which the thread continues. */
#include <string.h>

#include "base/rules.h"
#include "search/core/strategies.h"
#include "search/sample/changes.h"

#define LOWEST INT64_MIN

struct pct {
    struct hd_draws draws;
    bool demote;
    struct hd_changes changes;
    uint32_t nknown;
    hd_tid order[HD_MAX_THREADS];
    int64_t priority[HD_MAX_THREADS];
};

/* Words of the cursor. */
enum { CUR_STEPS_MAX };

static const struct hd_param params[] = {
    { "d", 1, HD_MAX_DEPTH, 3, "depth of bugs to look for (3)" },
    { "demote", 0, 1, 0, "1: a change point moves a thread below all others (0)" },
    { .key = NULL },
};

static bool pct_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct pct *p = hd_strategy_state(*self, cfg, sizeof *p);

    *self = p;
    p->draws.seed = cfg->seed;
    p->changes.depth = (uint32_t)hd_param_value(params, cfg->params, "d");
    p->demote = hd_param_value(params, cfg->params, "demote") != 0;
    return true;
}

static uint32_t pct_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct pct *p = self;

    p->draws.rng = hd_rng_for(p->draws.seed, index);
    p->nknown = 0;
    hd_changes_draw(&p->changes, &p->draws.rng, now->w[CUR_STEPS_MAX]);
    return 0;
}

static void insert_at(struct pct *p, uint32_t pos, hd_tid t)
{
    memmove(&p->order[pos + 1], &p->order[pos], (p->nknown - pos) * sizeof p->order[0]);
    p->order[pos] = t;
    p->nknown++;
}

/* Inserts t after all threads that have at least this priority. */
static void insert_by_priority(struct pct *p, hd_tid t, int64_t priority)
{
    uint32_t pos = 0;

    p->priority[t] = priority;
    while (pos < p->nknown && p->priority[p->order[pos]] >= priority)
        pos++;
    insert_at(p, pos, t);
}

static void take_out(struct pct *p, hd_tid t)
{
    uint32_t pos = 0;

    while (p->order[pos] != t)
        pos++;
    p->nknown--;
    memmove(&p->order[pos], &p->order[pos + 1], (p->nknown - pos) * sizeof p->order[0]);
}

static void lower(struct pct *p, hd_tid t, int64_t priority)
{
    take_out(p, t);
    insert_by_priority(p, t, priority);
}

static void add_thread(struct pct *p, hd_tid t)
{
    if (p->demote) {
        p->priority[t] = INT64_MAX; /* equal for all threads that were not demoted: the position in the order
                                     * decides */
        insert_at(p, (uint32_t)hd_draw_below(&p->draws.rng, (uint64_t)p->nknown + 1), t);
    } else {
        insert_by_priority(p, t, HD_MAX_DEPTH + (int64_t)(hd_rng_next(&p->draws.rng) >> 2));
    }
}

static void add_new_threads(struct pct *p, const struct hd_point *at)
{
    while (p->nknown < at->nthreads)
        add_thread(p, (hd_tid)p->nknown);
}

/* Moves a thread that yields repeatedly below all others; a single yield has no effect (P2).  Only the thread
 * that ran last can have yielded. */
static void notice(struct pct *p, const struct hd_point *at)
{
    if (HD_UNLIKELY(p->nknown < at->nthreads))
        add_new_threads(p, at);
    if (HD_UNLIKELY(hd_set_has(&at->yielded, at->last)))
        lower(p, at->last, LOWEST);
}

static bool is_ordered(const struct pct *p)
{
    struct hd_set seen;

    hd_set_clear(&seen);
    for (uint32_t i = 0; i < p->nknown; i++) {
        if (i > 0 && p->priority[p->order[i - 1]] < p->priority[p->order[i]])
            return false;
        hd_set_add(&seen, p->order[i]);
    }
    return hd_set_count(&seen) == p->nknown;
}

static hd_tid pct_pick(void *self, const struct hd_point *at)
{
    struct pct *p = self;
    uint32_t pos = 0;

    notice(p, at);
    HD_CHECK(is_ordered(p), "P1: every thread is in the order once, highest priority first");
    while (!hd_set_has(&at->enabled, p->order[pos]))
        pos++;
    hd_tid next = p->order[pos];

    uint32_t due = hd_changes_step(&p->changes, at);

    if (HD_UNLIKELY(due != 0))
        lower(p, next, p->demote ? LOWEST : (int64_t)due);
    return next;
}

static void pct_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                    struct hd_cursor *next, struct hd_outcome *out)
{
    const struct pct *p = self;

    (void)now;
    hd_changes_learn(&p->changes, done, &next->w[CUR_STEPS_MAX]);
    out->bound = -1;
    out->by_depth = !p->demote;
}

const struct hd_strategy_ops hd_strategy_pct = {
    .name = "pct",
    .split = HD_SPLIT_INDEX,
    .summary = "probabilistic concurrency testing: random priorities with d-1 changes",
    .traits = { .draws = HD_DRAWS_RANDOM },
    .params = params,
    .open = pct_open,
    .begin = pct_begin,
    .pick = pct_pick,
    .choose = hd_draw_choose,
    .end = pct_end,
};
