/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor.c - partial-order reduction with a bound on the number of preemptions.
 *
 * A reduction runs one execution of each class, not necessarily the one with the fewest preemptions.  If it
 * simply cuts executions that exceed the bound, it loses classes that have a cheaper execution.  Four
 * strategies deal with this differently:
 *
 *   bpor-naive   ignores the problem: it uses source sets and sleep sets and cuts every execution that exceeds
 *                the bound.  For comparison; complete only if nothing was cut.
 *   bpor         Coons, Musuvathi, McKinley, "Bounded partial-order reduction" (OOPSLA 2013): for each race it
 *                adds a second branch, at the beginning of the block of consecutive steps that contains the
 *                race's first step: a switch there is not a preemption.
 *   bpor-source  like bpor, but with source sets for the branch at the race itself.
 *   bpor-lazy    bounds the least number of preemptions of the whole class (minpreempt.h).  That number is the
 *                same for all executions of the class and never falls as the execution grows.  So sleep sets
 *                remain sound, and no branches are needed beyond those of an unbounded search.
 *
 * Where the bound applies to the execution itself, sleep sets are unsound: the only execution of a class within
 * the bound may be the one that a sleeping step rules out.  So bpor and bpor-source do not use them.
 *
 * If the user gives no bound, all four run one pass for each bound 0, 1, 2 ... until nothing was cut.
 * Executions that an earlier pass has counted are then redundant, as in enumerate.c. */
#include "search/por/bpor.h"

#include <stdatomic.h>

#include "base/check.h"
#include "search/core/strategies.h"
#include "search/por/path.h"

/* The words of the cursor. */
enum {
    CUR_DEPTH, /* depth + 1; 0: begin a new pass or, with several workers, a new task */
    CUR_CHOSEN, CUR_BOUND, CUR_FLAGS, CUR_TASK, CUR_FLOOR, CUR_GIVE
};

enum cursor_flag {
    PASS_PRUNED = HD_WAKEUP_PRUNED,        /* something exceeded the bound of this pass */
    NOT_ALL_SEEN = HD_WAKEUP_NOT_ALL_SEEN, /* an execution broke off, so what follows it is unknown */
};

#define OLDEST_PARAM { "oldest", 0, 1, 0, HD_OLDEST_HELP }

static const struct hd_param bounded_params[] = { OLDEST_PARAM, { .key = NULL } };

static const struct hd_param lazy_params[] = {
    { "cells", 0, HD_MINPREEMPT_CELLS, HD_MINPREEMPT_CELLS,
      "memory for counting preemptions exactly; beyond it a lower bound is used (1000000)" },
    OLDEST_PARAM,
    { .key = NULL },
};

static bool bpor_open(void **self, const struct hd_strategy_cfg *cfg, enum hd_bpor_kind kind)
{
    struct hd_bpor *d = hd_strategy_state(*self, cfg, sizeof *d);

    *self = d;
    d->kind = kind;
    d->deepens = cfg->bound < 0;
    d->last_bound = d->deepens ? INT64_MAX : cfg->bound;
    d->decisions = cfg->decisions;
    d->exec = cfg->exec;
    d->beat = cfg->beat;
    hd_trace_init(&d->trace, cfg->arena);
    hd_reversal_init(&d->reversal, &d->trace, cfg->arena);
    hd_minpreempt_init(&d->least, &d->trace, cfg->arena);
    d->least.steps.yields = hd_bpor_yields;
    d->least.steps.ctx = d;
    d->least.history = &d->reversal.history;
    if (d->frames == NULL) {
        d->seen = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *d->seen);
        d->sleep = hd_arena_alloc(cfg->arena, HD_BPOR_SLEEP * sizeof *d->sleep);
        d->answer = hd_arena_alloc(cfg->arena, HD_BPOR_ANSWERS * sizeof *d->answer);
        d->frames = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *d->frames);
    }
    d->least.limit = (uint32_t)hd_param_value(lazy_params, cfg->params, "cells");
    /* Results kept from an earlier query may spare a later query some cells.  If the user limits the number of
     * cells, nothing is kept: then each query has the same result whichever queries a worker has made before. */
    d->least.forgets = d->least.limit < HD_MINPREEMPT_CELLS;
    d->oldest = hd_param_value(bounded_params, cfg->params, "oldest") != 0;
    hd_frames_open(&d->share, cfg);
    d->share.ws.deepens = d->deepens;
    if (kind == HD_BPOR_NAIVE)
        d->share.ws.missing |= PASS_PRUNED;
    return true;
}

static bool naive_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return bpor_open(self, cfg, HD_BPOR_NAIVE);
}

static bool full_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return bpor_open(self, cfg, HD_BPOR_FULL);
}

static bool source_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return bpor_open(self, cfg, HD_BPOR_SOURCE);
}

static bool lazy_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return bpor_open(self, cfg, HD_BPOR_LAZY);
}

/* ---- going forward --------------------------------------------------------------------- */

static void put_to_sleep(struct hd_bpor *d, struct hd_bpor_frame *f, const struct hd_step *s)
{
    HD_INVARIANT(f->sleep + f->nsleep < HD_BPOR_SLEEP, "too many sleeping steps");
    d->sleep[f->sleep + f->nsleep] = *s;
    atomic_signal_fence(memory_order_release); /* a killed worker must not leave an incomplete step asleep */
    f->nsleep++;
}

/* The branch tried last at this frame is fully explored.  Switches to the branch that the cursor names. */
static void next_branch(struct hd_bpor *d, struct hd_bpor_frame *f, uint16_t chosen)
{
    if (f->alternatives != 0) {
        f->alt = chosen;
        return;
    }
    if (f->chosen == chosen)
        return; /* already done, before a worker was killed */
    if (hd_bpor_sleeps(d) && !hd_set_has(&f->done, f->chosen))
        put_to_sleep(d, f, &f->step);
    hd_set_add(&f->done, f->chosen);
    atomic_signal_fence(memory_order_release);
    f->chosen = chosen;
}

static struct hd_frame_view view(const void *self, uint32_t k)
{
    const struct hd_bpor *d = self;
    const struct hd_bpor_frame *f = &d->frames[k];
    bool choice = f->alternatives != 0;

    return (struct hd_frame_view){
        .wanted = &f->todo, .done = &f->done, .sleep = &d->sleep[f->sleep], .nsleep = f->nsleep,
        .taken = k < d->resume ? &f->step : NULL, .chosen = choice ? f->alt : f->chosen,
        .alternatives = f->alternatives, .slot = choice ? d->exec->threads[f->chosen].slot : 0 };
}

static bool take_task(struct hd_bpor *d, const struct hd_cursor *now)
{
    if (hd_frames_take(&d->share, now->w[CUR_TASK], now->w[CUR_FLAGS]) == NULL)
        return false;
    d->flags = 0;
    if (d->deepens) /* the bound does not change while any worker has a task */
        d->bound = (uint32_t)d->share.ws.share->bound;
    return true;
}

static uint32_t bpor_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct hd_bpor *d = self;

    d->resume = UINT32_MAX;
    d->over = UINT32_MAX;
    d->misled = d->pruned = d->pruned_before = d->in_vain = false;
    d->estimated = d->unmodelled = d->traced = false;
    d->bound = d->deepens ? (uint32_t)now->w[CUR_BOUND] : (uint32_t)d->last_bound;
    d->flags = now->w[CUR_FLAGS];
    d->share.task = now->w[CUR_TASK];
    d->share.floor = (uint32_t)now->w[CUR_FLOOR];
    if (now->w[CUR_DEPTH] == 0) {
        if (hd_frames_are_shared(&d->share) && !take_task(d, now))
            return hd_share_nothing(d->share.ws.share);
        return 0;
    }
    d->resume = (uint32_t)now->w[CUR_DEPTH] - 1;
    next_branch(d, &d->frames[d->resume], (uint16_t)now->w[CUR_CHOSEN]);
    if (now->w[CUR_GIVE] != 0)
        hd_frames_give(&d->share, (uint32_t)now->w[CUR_GIVE] - 1, index, view, d);
    return d->resume;
}

/* Steps in the sleep set of frame k - 1 stay asleep unless step k - 1 conflicts with them. */
static void inherit_sleep(struct hd_bpor *d, uint32_t k)
{
    struct hd_bpor_frame *f = &d->frames[k];
    struct hd_bpor_frame *before = f - 1;

    before->step = hd_step_make(d->exec->threads[before->chosen].slot,
                                &d->exec->events[before->first_event],
                                f->first_event - before->first_event);
    f->sleep = before->sleep + before->nsleep;
    for (uint32_t i = 0; i < before->nsleep; i++) {
        struct hd_step s = d->sleep[before->sleep + i];

        if (!hd_step_conflict(&s, &before->step))
            put_to_sleep(d, f, &s);
    }
}

/* True if something happens that reversals do not model: a cancellation, which changes what its thread does
 * next; or a thread that is disabled although its operation cannot block, because it polls or waits for a
 * timeout that fires only when no other thread can run. */
static bool is_unmodelled(const struct hd_point *at, bool fixed)
{
    for (uint32_t t = 0; t < at->nthreads; t++) {
        unsigned kind = at->pending[t].kind;

        if (kind == HD_EV_THREAD_CANCEL)
            return true;
        if (!fixed && kind != HD_EV_NONE && !hd_set_has(&at->enabled, t) && !hd_set_has(&at->awaiting, t) &&
            !(hd_kind_traits[kind] & HD_TRAIT_BLOCKS))
            return true;
    }
    return false;
}

/* Begins frame k.  Returns false if the execution has too many steps. */
static bool enter(struct hd_bpor *d, const struct hd_point *at, uint32_t alternatives)
{
    uint32_t k = at->step;

    if (k + 1 >= HD_TRACE_STEPS) {
        d->misled = true;
        return false;
    }
    struct hd_bpor_frame *f = &d->frames[k];

    hd_set_copy(&f->enabled, &at->enabled);
    hd_set_clear(&f->todo);
    hd_set_clear(&f->done);
    hd_set_clear(&f->over);
    f->step = (struct hd_step){ 0 };
    f->first_event = d->exec->nevents;
    f->sleep = f->nsleep = 0;
    f->born = ++d->births;
    f->shown = 0;
    hd_bpor_owe_nothing(&f->owing);
    f->exceeds = false;
    f->alternatives = (uint16_t)alternatives;
    f->alt = 0;
    f->chosen = at->last;
    if (k > 0 && hd_bpor_sleeps(d))
        inherit_sleep(d, k);
    d->unmodelled |= is_unmodelled(at, k < d->exec->fixed);
    hd_bpor_compute_cost(d, k, at);
    return true;
}

/* Chooses where the search is free to: the last thread if it may continue, otherwise the next one in creation
 * order (with the parameter `oldest`, the first one in that order).  Threads that have yielded come last. */
static hd_tid free_choice(struct hd_bpor *d, const struct hd_point *at)
{
    struct hd_bpor_frame *f = &d->frames[at->step];

    for (int yielded = 0; yielded < 2; yielded++)
        for (uint32_t i = 0; i < at->nthreads; i++) {
            hd_tid t = (hd_tid)(((d->oldest ? 0 : f->last) + i) % at->nthreads);

            if (hd_set_has(&at->enabled, t) && hd_set_has(&at->yielded, t) == yielded &&
                !hd_bpor_asleep(d, f, t) && hd_bpor_may_pick(d, at->step, t, &at->pending[t]))
                return t;
        }
    return HD_NO_TID;
}

/* Adds the threads that the shared tree lists at the common frame k, whichever worker has added them. */
static void look_up(struct hd_bpor *d, uint32_t k)
{
    struct hd_bpor_frame *f = &d->frames[k];

    for (const struct hd_wakeup *n = hd_frames_first(&d->share, k); n != NULL; n = n->next) {
        hd_tid t = hd_frames_tid(&d->share, n->step.slot, d->exec->nthreads);

        if (t != HD_NO_TID)
            hd_set_add(&f->todo, t);
    }
}

/* Rule B5: thread `but` cannot run at frame k, so all others are wanted. */
static void want_others(struct hd_bpor *d, uint32_t k, hd_tid but)
{
    HD_SET_EACH(t, &d->frames[k].enabled)
        if (t != but && !hd_bpor_sleeps(d))
            hd_bpor_want(d, k, (hd_tid)t);
}

/* Ends the analysed part of the execution (B5) and lets the rest run. */
static hd_tid run_on(struct hd_bpor *d, const struct hd_point *at)
{
    if (d->over == UINT32_MAX) {
        d->nwaiting = at->nthreads;
        for (uint32_t t = 0; t < at->nthreads; t++)
            d->waiting[t] = at->pending[t];
        d->over_events = d->exec->nevents;
        d->over = at->step;
    }
    return (hd_tid)hd_set_next(&at->enabled, 0);
}

/* Chooses at a common frame: puts the nodes left of the one on the path to sleep, and takes that one. */
static hd_tid follow(struct hd_bpor *d, const struct hd_point *at)
{
    struct hd_bpor_frame *f = &d->frames[at->step];
    hd_tid t = hd_frames_follow(&d->share, at);
    const struct hd_wakeup *self = d->share.node[at->step];

    if (t == HD_NO_TID) {
        d->in_vain = hd_frames_goes_round(&d->share, at);
        d->misled = !d->in_vain;
        if (d->in_vain)
            want_others(d, at->step, HD_NO_TID);
        return t;
    }
    hd_frames_lock(&d->share);
    look_up(d, at->step);
    for (const struct hd_wakeup *n = hd_frames_first(&d->share, at->step);
         hd_bpor_sleeps(d) && n != self; n = n->next)
        put_to_sleep(d, f, &n->step);
    hd_frames_unlock(&d->share);
    return t;
}

static hd_tid bpor_pick(void *self, const struct hd_point *at)
{
    struct hd_bpor *d = self;
    uint32_t k = at->step;
    struct hd_bpor_frame *f = &d->frames[k];

    if (at->again)
        d->pruned = d->pruned_before;
    d->pruned_before = d->pruned;
    if (at->only_waits)
        return run_on(d, at);
    if (k == d->resume) {
        bool thread = f->alternatives == 0;

        if (thread && hd_set_has(&at->enabled, f->chosen))
            return f->chosen;
        d->in_vain = thread && hd_set_has(&at->awaiting, f->chosen);
        d->misled = !d->in_vain;
        return HD_NO_TID;
    }
    if (!enter(d, at, 0))
        return HD_NO_TID;
    hd_tid t = k < d->share.floor ? follow(d, at) : free_choice(d, at);

    if (t == HD_NO_TID)
        return t;
    f->chosen = t;
    hd_set_add(&f->todo, t);
    return t;
}

/* Chooses an alternative.  All of them are tried, so a sleeping step stays asleep in each. */
static uint32_t bpor_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct hd_bpor *d = self;
    uint32_t k = at->step;
    const struct hd_step *common = k < d->share.floor ? hd_frames_step(&d->share, k) : NULL;

    if (d->over != UINT32_MAX)
        return 0;
    d->choices = true;
    if ((k == d->resume && d->frames[k].alternatives != n) ||
        (common != NULL && (!(common->flags & HD_STEP_CHOICE) || common->n != n))) {
        d->misled = true;
        return HD_NO_ALTERNATIVE;
    }
    if (k != d->resume && !enter(d, at, n))
        return HD_NO_ALTERNATIVE;
    if (common != NULL)
        d->frames[k].alt = common->alt;
    return d->frames[k].alt;
}

/* ---- the next execution ---- */

static bool next_of(const struct hd_bpor_frame *f, uint16_t *chosen)
{
    if (f->alternatives != 0) {
        *chosen = (uint16_t)(f->alt + 1);
        return *chosen < f->alternatives;
    }
    HD_SET_EACH(t, &f->todo)
        if (t != f->chosen && !hd_set_has(&f->done, t)) {
            *chosen = (uint16_t)t;
            return true;
        }
    return false;
}

/* Rule F2 of frames_share.h: another worker may already have added the thread to a common frame. */
void hd_bpor_want(struct hd_bpor *d, uint32_t k, hd_tid t)
{
    if (k < d->exec->fixed) /* the search explores no other thread there */
        return;
    if (k < d->share.floor) {
        hd_frames_lock(&d->share);
        hd_frames_want(&d->share, k, d->exec->threads[t].slot);
        hd_frames_unlock(&d->share);
    }
    hd_set_add(&d->frames[k].todo, t);
}

static void look_up_all(struct hd_bpor *d)
{
    if (d->share.floor == 0)
        return;
    hd_frames_learn(&d->share, &d->trace);
    hd_frames_lock(&d->share);
    for (uint32_t k = 0; k < d->share.floor; k++)
        if (d->frames[k].alternatives == 0)
            look_up(d, k);
    hd_frames_unlock(&d->share);
}

/* No branch is left at this bound: continues with the next bound, or stops. */
static void end_pass(const struct hd_bpor *d, struct hd_cursor *next, struct hd_outcome *out)
{
    uint64_t flags = next->w[CUR_FLAGS];
    bool pruned = (flags & PASS_PRUNED) != 0;

    next->w[CUR_DEPTH] = 0;
    if (hd_frames_are_shared(&d->share))
        return;
    if (!pruned || !d->deepens) {
        out->exhausted = true;
        out->complete = (flags & NOT_ALL_SEEN) == 0 && (d->kind != HD_BPOR_NAIVE || !pruned);
        return;
    }
    next->w[CUR_BOUND] = d->bound + 1;
    next->w[CUR_FLAGS] = flags & NOT_ALL_SEEN;
}

/* Analyses the first n steps of an execution.  Returns false if there are too many. */
static bool learn(struct hd_bpor *d, const struct hd_execution *done, uint32_t n, struct hd_outcome *out)
{
    bool on = hd_bpor_ran_on(d);

    if (n + 1 >= HD_TRACE_STEPS || !hd_bpor_trace(d, n, on ? d->over_events : done->nevents))
        return false;
    look_up_all(d);
    hd_bpor_races(d, hd_bpor_at_end(d), on ? d->nwaiting : done->nthreads);
    if (done->ending == HD_END_CUT || hd_execution_was_interrupted(done))
        return true;
    d->frames[n].yielded = false; /* no thread continues after the last step */
    uint32_t cost = hd_bpor_total(d, n, hd_bpor_at_end(d));

    d->pruned |= cost > d->bound;
    out->redundant = cost > d->bound || (d->deepens && cost < d->bound);
    return true;
}

/* Rule B5: the step to be tried at frame k cannot run, so its branch is given up. */
static void give_up_branch(struct hd_bpor *d, uint32_t k)
{
    struct hd_bpor_frame *f = &d->frames[k];

    hd_set_remove(&f->enabled, f->chosen);
    hd_set_add(&f->done, f->chosen);
    want_others(d, k, f->chosen);
}

static void bpor_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct hd_bpor *d = self;
    uint32_t n = hd_bpor_ran_on(d) ? d->over : done->nsteps;
    uint32_t depth = (uint32_t)now->w[CUR_DEPTH];
    uint32_t least = depth > 0 ? depth : d->share.floor;
    uint16_t chosen;

    out->bound = d->bound;
    next->w[CUR_FLAGS] = d->flags;
    next->w[CUR_BOUND] = d->bound;
    next->w[CUR_TASK] = d->share.task;
    next->w[CUR_FLOOR] = d->share.floor;
    next->w[CUR_GIVE] = 0;
    if (hd_execution_was_interrupted(done) || d->misled || d->unmodelled)
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    if (d->in_vain && n < least) {
        n = least;
        if (depth > 0)
            give_up_branch(d, depth - 1);
    } else if (n < least || done->ending == HD_END_DIVERGED) {
        n = least; /* nothing to analyse; give up the branch */
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    } else if (learn(d, done, n, out)) {
        hd_trace_finish(&d->trace);
    } else {
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
        n = n + 1 < HD_TRACE_STEPS ? n : HD_TRACE_STEPS - 1;
    }
    out->over_bound = done->ending == HD_END_CUT && !d->misled && !d->in_vain &&
                      !hd_set_is_empty(&d->frames[n].over);
    out->estimated = d->estimated;
    out->unmodelled = d->unmodelled;
    if (d->pruned)
        next->w[CUR_FLAGS] |= PASS_PRUNED;
    for (; n > d->share.floor; n--)
        if (next_of(&d->frames[n - 1], &chosen)) {
            next->w[CUR_DEPTH] = n;
            next->w[CUR_CHOSEN] = chosen;
            next->w[CUR_GIVE] = hd_frames_to_give(&d->share, n - 1, chosen, view, d);
            return;
        }
    end_pass(d, next, out);
}

#define BPOR_STRATEGY(id, name_, summary_, open_, coverage_, params_) \
    const struct hd_strategy_ops hd_strategy_##id = { \
        .name = name_, .summary = summary_, .split = HD_SPLIT_TASKS, .open = open_, .params = params_, \
        .traits = { .coverage = coverage_, .bound = HD_BOUND_PREEMPTIONS, .deepens = HD_DEEPENS_UNBOUNDED, \
                    .awaits = true }, \
        .repeats = HD_REPEATS_ALL, \
        .begin = bpor_begin, .pick = bpor_pick, .choose = bpor_choose, .end = bpor_end }

BPOR_STRATEGY(bpor_lazy, "bpor-lazy",
              "partial-order reduction up to a bound: each behaviour within the bound",
              lazy_open, HD_COVERS_CLASSES, lazy_params);
BPOR_STRATEGY(bpor, "bpor",
              "partial-order reduction up to a bound with conservative branches", full_open,
              HD_COVERS_CLASSES, bounded_params);
BPOR_STRATEGY(bpor_source, "bpor-source",
              "like bpor, with source sets at the race itself", source_open, HD_COVERS_CLASSES,
              bounded_params);
BPOR_STRATEGY(bpor_naive, "bpor-naive",
              "partial-order reduction that cuts off at a bound: misses behaviours", naive_open,
              HD_COVERS_NOTHING, bounded_params);
