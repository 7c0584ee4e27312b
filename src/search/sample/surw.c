/* SPDX-License-Identifier: BSD-2-Clause
 *
 * surw.c - selectively uniform random walk (H. Zhao, D. Wolff, U. Mathur, A.
 * Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025).
 *
 * A random walk is far from uniform over interleavings: a short thread nearly always ends before a long one.
 * If each thread is chosen in proportion to the number of its remaining steps (including those of threads that
 * it will create), all interleavings of threads that do not block are equally likely.  Even then coverage is
 * poor if only few steps matter.  So each execution selects a shared object.  Only the steps that touch it are
 * *interesting*: their order is drawn uniformly, and the other steps are interleaved by a random walk.
 *
 * The numbers come from a profile: the first executions are random walks that count steps.
 *
 * surw            another object in each execution
 * surw:object=N   always the Nth shared object, in the order of the profile
 * surw:all=1      every step is interesting (the paper's URW)
 * surw:profile=K  number of profiling executions (default 3)
 *
 * Differences from the paper: the larger of two counts is used instead of a single trial's; the interesting
 * object is drawn uniformly from the first 64 that the profile has seen shared and written; and if the thread
 * whose turn it is cannot run, while the next steps of all others are interesting, the turn is drawn again
 * among these.  If threads block, or make more or fewer steps than in the profile, the walk is only
 * approximately uniform.
 *
 * U1  Counts in the profile only grow, to the larger of the old and the new one.  So an execution that is
 *     interrupted and repeated adds nothing.
 * U2  A search begins with the profiling executions 0 to K-1, whatever indices it is given, and after these
 *     (seed, index) determines each execution.  So workers that divide the indices, each with its own arena,
 *     have the same profile, and execution i is the same whichever of them runs it.
 * U3  `own` holds the expected number of remaining steps of a thread, `below` that of its descendants that do
 *     not exist yet. */
#include <string.h>

#include "search/core/step.h"
#include "search/core/strategies.h"
#include "search/sample/draw.h"

#define MAX_OBJECTS 64

struct profile {
    uint32_t nslots;                    /* 1 + the largest slot seen so far */
    uint16_t parent[HD_MAX_THREADS];    /* slot of the thread that creates this one */
    uint32_t steps[HD_MAX_THREADS];     /* number of steps of each thread, by slot */
    uint32_t nobjects;                  /* number of objects, in the order in which they were first seen */
    uint32_t object[MAX_OBJECTS];
    bool written[MAX_OBJECTS];
    uint32_t touches[MAX_OBJECTS][HD_MAX_THREADS]; /* number of accesses, by object and slot */
};

struct surw {
    struct hd_draws draws;
    uint32_t profiled; /* number of profiling executions */
    uint32_t fixed;    /* the parameter `object`, from 1; 0: any object */
    bool all;
    const struct hd_execution *exec;

    struct profile known;
    bool ready;      /* `shared` is filled; never reset */
    uint32_t nshared;
    uint8_t shared[MAX_OBJECTS]; /* indices into known.object */

    /* State of this execution: */
    bool counting;   /* this execution belongs to the profile */
    struct profile run; /* counts of a profiling execution */
    uint32_t object; /* the interesting object; 0: every step is interesting */
    hd_tid turn;     /* the thread that makes the next interesting step; HD_NO_TID: to be drawn */
    uint32_t nthreads;
    uint64_t own[HD_MAX_THREADS], below[HD_MAX_THREADS]; /* expected remaining steps, by slot (U3) */
};

/* Words of the cursor. */
enum { CUR_PROFILED };

static const struct hd_param params[] = {
    { "profile", 1, 1000, 3, "number of profiling executions at the start (3)" },
    { "object", 0, MAX_OBJECTS, 0, "number of the shared object whose accesses are ordered uniformly; 0: another "
                                   "object in each execution (0)" },
    { "all", 0, 1, 0, "1: order the accesses to all shared objects uniformly (0)" },
    { .key = NULL },
};

static bool surw_open(void **self, const struct hd_strategy_cfg *cfg)
{
    struct surw *u = hd_strategy_state(*self, cfg, sizeof *u);

    *self = u;
    u->draws.seed = cfg->seed;
    u->exec = cfg->exec;
    u->profiled = (uint32_t)hd_param_value(params, cfg->params, "profile");
    u->fixed = (uint32_t)hd_param_value(params, cfg->params, "object");
    u->all = hd_param_value(params, cfg->params, "all") != 0;
    return true;
}

/* ---- the profile ----------------------------------------------------------------- */

static uint32_t max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Returns the index of the object, which is added if it is new; MAX_OBJECTS if there is no room. */
static uint32_t number_of(struct profile *p, uint32_t object)
{
    uint32_t i = 0;

    while (i < p->nobjects && p->object[i] != object)
        i++;
    if (i == p->nobjects && i < MAX_OBJECTS)
        p->object[p->nobjects++] = object;
    return i;
}

/* True for operations on threads: creator, thread and joiner share this object, but their order is fixed. */
static bool orders_itself(const struct hd_event *e)
{
    return e->kind <= HD_EV_THREAD_CANCEL || e->kind == HD_EV_EXIT_BEGIN;
}

static void count_step(struct profile *p, uint16_t slot, const struct hd_event *e)
{
    struct hd_access_of on[2];

    p->nslots = max32(p->nslots, slot + 1u);
    p->steps[slot]++;
    if (orders_itself(e))
        return;
    for (unsigned k = 0, n = hd_event_accesses(e, on); k < n; k++) {
        uint32_t i = number_of(p, on[k].obj);

        if (i == MAX_OBJECTS)
            continue;
        p->touches[i][slot]++;
        p->written[i] |= on[k].access != HD_ACC_R;
    }
}

static void merge(struct profile *known, const struct profile *run)
{
    known->nslots = max32(known->nslots, run->nslots);
    for (uint32_t s = 0; s < run->nslots; s++)
        known->steps[s] = max32(known->steps[s], run->steps[s]);
    for (uint32_t r = 0; r < run->nobjects; r++) {
        uint32_t i = number_of(known, run->object[r]);

        if (i == MAX_OBJECTS)
            return;
        known->written[i] |= run->written[r];
        for (uint32_t s = 0; s < run->nslots; s++)
            known->touches[i][s] = max32(known->touches[i][s], run->touches[r][s]);
    }
}

static void note_parents(struct profile *known, const struct hd_execution *e)
{
    for (uint32_t t = 1; t < e->nthreads; t++)
        known->parent[e->threads[t].slot] = e->threads[e->threads[t].parent].slot;
}

static bool is_shared(const struct profile *p, uint32_t i)
{
    uint32_t users = 0;

    for (uint32_t s = 0; s < p->nslots; s++)
        users += p->touches[i][s] > 0;
    return users > 1 && p->written[i];
}

static void find_shared(struct surw *u)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < u->known.nobjects; i++)
        if (is_shared(&u->known, i))
            u->shared[n++] = (uint8_t)i;
    u->nshared = n;
    u->ready = true;
}

/* ---- the walk -------------------------------------------------------------------- */

/* Sets the steps that the profile expects of each thread (U3). */
static void expect(struct surw *u, const uint32_t *counts)
{
    const struct profile *p = &u->known;

    for (uint32_t s = 0; s < p->nslots; s++) { /* the entries of later slots stay 0 */
        u->own[s] = counts[s];
        u->below[s] = 0;
    }
    for (uint32_t s = 1; s < p->nslots; s++)
        for (uint32_t up = s, far = 0; up != 0 && far < p->nslots; far++) {
            up = p->parent[up];
            u->below[up] += u->own[s];
        }
}

static void start_walk(struct surw *u)
{
    if (!u->ready)
        find_shared(u);
    u->turn = HD_NO_TID;
    u->nthreads = 1;
    if (u->all || u->nshared == 0 || u->fixed > u->nshared) {
        u->object = 0;
        expect(u, u->known.steps);
        return;
    }
    uint32_t i = u->shared[u->fixed > 0 ? u->fixed - 1 : hd_rng_below(&u->draws.rng, u->nshared)];

    u->object = u->known.object[i];
    expect(u, u->known.touches[i]);
}

static uint32_t surw_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct surw *u = self;
    uint64_t done = now->w[CUR_PROFILED];

    u->counting = done < u->profiled;
    u->draws.rng = hd_rng_for(u->draws.seed, u->counting ? done : index);
    if (u->counting)
        memset(&u->run, 0, sizeof u->run);
    else
        start_walk(u);
    return 0;
}

static uint16_t slot_of(const struct surw *u, hd_tid t)
{
    return u->exec->threads[t].slot;
}

static bool is_interesting(const struct surw *u, const struct hd_event *e)
{
    struct hd_access_of on[2];
    bool touches = false;

    if (u->object == 0)
        return true;
    for (unsigned k = 0, n = hd_event_accesses(e, on); k < n; k++)
        touches |= on[k].obj == u->object;
    return touches;
}

/* A new thread now accounts for its own steps.  If it is the creator's turn, that turn was drawn for both
 * threads together, so this draws which of them has it. */
static void welcome(struct surw *u, hd_tid t)
{
    hd_tid creator = u->exec->threads[t].parent;
    uint16_t s = slot_of(u, t), p = slot_of(u, creator);
    uint64_t share = u->own[s] + u->below[s], both = u->own[p] + u->below[p];

    if (share > u->below[p])
        share = u->below[p];
    if (u->turn == creator && share > 0 && hd_draw_below(&u->draws.rng, both) < share)
        u->turn = t;
    u->below[p] -= share;
}

/* Returns the expected number of interesting steps of the thread, at least 1 if its next step is interesting,
 * whatever the profile says. */
static uint64_t weight(const struct surw *u, const struct hd_point *at, hd_tid t)
{
    uint16_t s = slot_of(u, t);
    uint64_t w = u->own[s] + u->below[s];

    return w == 0 && is_interesting(u, &at->pending[t]) ? 1 : w;
}

/* Draws a thread in proportion to its expected steps; HD_NO_TID if no steps are expected. */
static hd_tid draw_turn(struct surw *u, const struct hd_point *at, const struct hd_set *among)
{
    uint64_t sum = 0;

    HD_SET_EACH(t, among)
        sum += weight(u, at, (hd_tid)t);
    if (sum == 0)
        return HD_NO_TID;
    uint64_t left = hd_draw_below(&u->draws.rng, sum);

    HD_SET_EACH(t, among) {
        uint64_t w = weight(u, at, (hd_tid)t);

        if (left < w)
            return (hd_tid)t;
        left -= w;
    }
    return HD_NO_TID;
}

/* Returns the threads that have not ended. */
static struct hd_set living(const struct hd_point *at)
{
    struct hd_set s;

    hd_set_clear(&s);
    for (uint32_t t = 0; t < at->nthreads; t++)
        hd_set_put(&s, t, at->pending[t].kind != HD_EV_NONE);
    return s;
}

/* Returns the threads that may run: they are enabled, and their next step is not interesting unless it is their
 * turn. */
static struct hd_set candidates(const struct surw *u, const struct hd_point *at)
{
    struct hd_set s = at->enabled;

    HD_SET_EACH(t, &at->enabled)
        if (t != u->turn && is_interesting(u, &at->pending[t]))
            hd_set_remove(&s, t);
    return s;
}

static hd_tid walk(struct surw *u, const struct hd_point *at)
{
    for (; u->nthreads < at->nthreads; u->nthreads++)
        welcome(u, (hd_tid)u->nthreads);
    if (u->turn == HD_NO_TID || at->pending[u->turn].kind == HD_EV_NONE) {
        struct hd_set all = living(at);

        u->turn = draw_turn(u, at, &all);
    }
    struct hd_set may = candidates(u, at);

    if (hd_set_is_empty(&may)) {
        u->turn = draw_turn(u, at, &at->enabled);
        hd_set_add(&may, u->turn);
    }
    hd_tid next = hd_draw_member(&u->draws.rng, &may, at->nthreads);

    if (is_interesting(u, &at->pending[next])) {
        uint64_t *own = &u->own[slot_of(u, next)];

        *own -= *own > 0;
        u->turn = HD_NO_TID;
    }
    return next;
}

static hd_tid surw_pick(void *self, const struct hd_point *at)
{
    struct surw *u = self;

    if (!u->counting)
        return walk(u, at);
    hd_tid next = hd_draw_member(&u->draws.rng, &at->enabled, at->nthreads);

    count_step(&u->run, slot_of(u, next), &at->pending[next]);
    return next;
}

static void surw_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct surw *u = self;

    out->bound = -1;
    if (now->w[CUR_PROFILED] >= u->profiled)
        return;
    merge(&u->known, &u->run);
    note_parents(&u->known, done);
    next->w[CUR_PROFILED] = now->w[CUR_PROFILED] + 1;
}

const struct hd_strategy_ops hd_strategy_surw = {
    .name = "surw",
    .split = HD_SPLIT_INDEX,
    .summary = "selectively uniform random walk: all orders of some object's uses equally likely",
    .traits = { .draws = HD_DRAWS_RANDOM },
    .params = params,
    .open = surw_open,
    .begin = surw_begin,
    .pick = surw_pick,
    .choose = hd_draw_choose,
    .end = surw_end,
};
