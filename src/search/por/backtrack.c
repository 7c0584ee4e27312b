/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backtrack.c - frames with backtrack sets.  Makes no libc calls. */
#include "search/por/backtrack.h"

#include <stdatomic.h>

void hd_backtrack_open(struct hd_backtrack *b, const struct hd_strategy_cfg *cfg)
{
    b->decisions = cfg->decisions;
    hd_path_init(&b->path, cfg->exec, cfg->arena);
    hd_conflicts_init(&b->races, &b->path.trace, cfg->arena);
    hd_reversal_init(&b->reversal, &b->path.trace, cfg->arena);
    if (b->frame == NULL)
        b->frame = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *b->frame);
    hd_frames_open(&b->share, cfg);
}

/* Switches the frame to its next thread or alternative. outcomes: the thread's hd_retry.now. */
static void change(struct hd_backtrack *b, uint32_t k, uint16_t chosen, uint8_t outcomes)
{
    struct hd_backtrack_frame *f = &b->frame[k];

    /* If a worker is killed here, its successor adds the step to the sleep set a second time, which is
     * harmless. */
    if (f->chosen != chosen && f->alternatives == 0 && f->retry.now == 0) { /* R4 */
        hd_set_add(&f->done, f->chosen);
        if (b->sleeps)
            hd_path_step_done(&b->path, k);
    }
    atomic_signal_fence(memory_order_release);
    f->chosen = chosen;
    if (b->retry_sets && f->alternatives == 0)
        hd_retry_explore(f, outcomes);
    b->decisions[k] = (struct hd_decision){
        .chosen = chosen, .alternatives = f->alternatives, .sig = HD_SIG_ANY };
}

static struct hd_frame_view view(const void *self, uint32_t k)
{
    const struct hd_backtrack *b = self;
    const struct hd_backtrack_frame *f = &b->frame[k];
    const struct hd_path_frame *p = &b->path.frame[k];

    return (struct hd_frame_view){
        .wanted = &f->wanted, .done = &f->done, .sleep = &b->path.sleep[p->sleep],
        .nsleep = p->nsleep, .taken = k + 1 < b->prefix ? &p->step : NULL, .chosen = f->chosen,
        .alternatives = f->alternatives, .slot = k > 0 ? p[-1].step.slot : 0 };
}

/* Takes a task.  Returns false if there is none at the moment. */
static bool take_task(struct hd_backtrack *b, const struct hd_cursor *now)
{
    const struct hd_task *t = hd_frames_take(&b->share, now->w[HD_BT_TASK],
                                             now->w[HD_BT_FLAGS] & HD_BT_NOT_ALL_SEEN);

    if (t == NULL)
        return false;
    b->flags = 0;
    b->first_new = hd_wakeup_share_first(t);
    return true;
}

uint32_t hd_backtrack_begin(struct hd_backtrack *b, const struct hd_cursor *now, uint64_t index)
{
    hd_path_begin(&b->path);
    b->prefix = (uint32_t)now->w[HD_BT_PREFIX];
    b->first_new = b->prefix > 0 ? b->prefix - 1 : 0;
    b->flags = now->w[HD_BT_FLAGS];
    b->in_vain = false;
    b->share.task = now->w[HD_BT_TASK];
    b->share.floor = (uint32_t)now->w[HD_BT_FLOOR];
    if (b->prefix == 0) {
        if (hd_frames_are_shared(&b->share) && !take_task(b, now))
            return hd_share_nothing(b->share.ws.share);
        return 0;
    }
    change(b, b->prefix - 1, (uint16_t)now->w[HD_BT_CHOSEN], (uint8_t)now->w[HD_BT_OUTCOMES]);
    if (now->w[HD_BT_GIVE] != 0)
        hd_frames_give(&b->share, (uint32_t)now->w[HD_BT_GIVE] - 1, index, view, b);
    return b->prefix;
}

static void enter(struct hd_backtrack *b, uint32_t k)
{
    hd_path_enter(&b->path, k);
    if (k > 0)
        hd_path_inherit_sleep(&b->path, k);
}

/* At a common frame, steps that any worker explored before count as done and are put to sleep. */
static void note_done(struct hd_backtrack *b, const struct hd_point *at)
{
    uint32_t k = at->step;

    hd_frames_lock(&b->share);
    for (const struct hd_wakeup *n = hd_frames_first(&b->share, k); n != b->share.node[k];
         n = n->next) {
        hd_tid t = hd_path_tid(&b->path, n->step.slot, at->nthreads);

        if (t != HD_NO_TID)
            hd_set_add(&b->frame[k].done, t);
        if (b->sleeps)
            hd_path_sleep(&b->path, k, &n->step);
    }
    hd_frames_unlock(&b->share);
}

bool hd_backtrack_asleep(const struct hd_backtrack *b, uint32_t k, hd_tid t)
{
    return hd_path_asleep(&b->path, k, b->path.exec->threads[t].slot);
}

static void want_common(struct hd_backtrack *b, uint32_t k, const struct hd_set *threads)
{
    hd_frames_lock(&b->share);
    HD_SET_EACH(t, threads)
        if (!hd_backtrack_asleep(b, k, (hd_tid)t))
            hd_frames_want(&b->share, k, b->path.exec->threads[t].slot);
    hd_frames_unlock(&b->share);
}

hd_tid hd_backtrack_pick(struct hd_backtrack *b, const struct hd_point *at)
{
    if (hd_path_is_over(&b->path))
        return hd_path_run_on(&b->path, at);
    enter(b, at->step);
    bool common = at->step < b->share.floor;

    if (at->last_resort)
        return hd_path_run_on(&b->path, at);
    hd_tid t = common ? hd_frames_follow(&b->share, at) : hd_path_free_choice(&b->path, at);

    if (HD_UNLIKELY(common && t == HD_NO_TID) && hd_frames_goes_round(&b->share, at)) {
        b->in_vain = true;
        want_common(b, at->step, &at->enabled); /* as in is_in_vain: the chosen thread cannot run, so the others
                                                 * are wanted */
    }

    /* The trace has no room for steps beyond this limit, so nothing is stored for them. */
    if (t == HD_NO_TID || at->step >= HD_TRACE_STEPS)
        return t;
    struct hd_backtrack_frame *f = &b->frame[at->step];

    hd_set_copy(&f->enabled, &at->enabled);
    hd_set_clear(&f->wanted);
    hd_set_clear(&f->done);
    f->chosen = t;
    f->alternatives = 0;
    f->retry = (struct hd_retry){ .n = 0 };
    hd_set_add(&f->wanted, t);
    if (common)
        note_done(b, at);
    return t;
}

uint32_t hd_backtrack_choose(struct hd_backtrack *b, const struct hd_point *at, uint32_t n)
{
    const struct hd_step *common =
        at->step < b->share.floor ? hd_frames_step(&b->share, at->step) : NULL;
    uint16_t alt = common != NULL ? common->alt : 0;

    if (hd_path_is_over(&b->path))
        return 0;
    enter(b, at->step);
    if (common != NULL && (!(common->flags & HD_STEP_CHOICE) || common->n != n))
        return HD_NO_ALTERNATIVE;
    if (at->step < HD_TRACE_STEPS)
        b->frame[at->step] =
            (struct hd_backtrack_frame){ .alternatives = (uint16_t)n, .chosen = alt };
    if (b->retry_sets && at->transaction && at->step < HD_TRACE_STEPS)
        alt = hd_retry_begin_choice(b, at->step, at->last);
    return alt;
}

static uint32_t least_steps(const struct hd_backtrack *b)
{
    return b->prefix > 0 ? b->prefix : b->share.floor;
}

/* True if the execution was cut before the step that it should have tried, because the step's operation would
 * only have begun another round of a waiting loop.  The branch is then given up.  The thread had been added
 * because it seemed enabled; since it is not, all other enabled threads are added, one of which leads to the
 * operation. */
static bool is_in_vain(struct hd_backtrack *b, const struct hd_execution *done)
{
    uint32_t n = hd_path_length(&b->path);

    if (b->prefix == 0 || done->ending != HD_END_CUT || n + 1 != b->prefix)
        return b->in_vain;
    struct hd_backtrack_frame *f = &b->frame[n];

    hd_set_remove(&f->enabled, f->chosen);
    hd_set_add_all(&f->wanted, &f->enabled);
    return true;
}

static bool came_to_its_branch(const struct hd_backtrack *b, const struct hd_execution *done)
{
    return hd_path_length(&b->path) >= least_steps(b) && done->ending != HD_END_DIVERGED;
}

bool hd_backtrack_trace(struct hd_backtrack *b, const struct hd_execution *done,
                        struct hd_cursor *next)
{
    uint32_t keep = b->prefix > 0 ? b->prefix - 1 : 0;

    next->w[HD_BT_FLAGS] = b->flags;
    if (came_to_its_branch(b, done) && hd_path_trace(&b->path, hd_path_length(&b->path), keep)) {
        if (hd_execution_was_interrupted(done))
            next->w[HD_BT_FLAGS] |= HD_BT_NOT_ALL_SEEN;
        hd_frames_learn(&b->share, &b->path.trace);
        return true;
    }
    if (!is_in_vain(b, done))
        next->w[HD_BT_FLAGS] |= HD_BT_NOT_ALL_SEEN;
    return false;
}

void hd_backtrack_races(struct hd_backtrack *b, hd_conflict_found *found, void *ctx)
{
    const struct hd_path *p = &b->path;

    for (uint32_t s = b->first_new; s < hd_path_length(p); s++)
        hd_conflicts_of_step(&b->races, s, found, ctx);
    for (uint32_t t = 0; t < hd_path_threads(p); t++)
        hd_conflicts_of_pending(&b->races, (hd_tid)t, hd_path_pending(p, (hd_tid)t), found, ctx);
    for (uint32_t t = 0; hd_path_is_stopped(p) && t < hd_path_threads(p); t++)
        hd_conflicts_of_stopped(&p->trace, (hd_tid)t, hd_path_pending(p, (hd_tid)t), found, ctx);
}

/* True if frame k has work left.  Then *chosen is the thread or alternative to run next there, and *outcomes its
 * hd_retry.now. */
static bool is_left(const struct hd_backtrack *b, uint32_t k, uint16_t *chosen, uint8_t *outcomes)
{
    const struct hd_backtrack_frame *f = &b->frame[k];

    *outcomes = 0;
    if (f->alternatives != 0) {
        *chosen = (uint16_t)(f->chosen + 1);
        if (f->retry.now != 0)
            *chosen = hd_retry_next(&f->retry, f->chosen);
        return *chosen < f->alternatives;
    }
    if (b->retry_sets && hd_retry_is_left(b, k, chosen, outcomes))
        return true;
    HD_SET_EACH(t, &f->wanted)
        if (t != f->chosen && !hd_set_has(&f->done, t) && hd_retry_of(&f->retry, (hd_tid)t) == NULL && !hd_backtrack_asleep(b, k, (hd_tid)t)) {
            *chosen = (uint16_t)t;
            return true;
        }
    return false;
}

void hd_backtrack_next(struct hd_backtrack *b, const struct hd_execution *done,
                       struct hd_cursor *next, struct hd_outcome *out)
{
    bool came = came_to_its_branch(b, done);
    uint32_t n = came ? hd_path_length(&b->path) : least_steps(b); /* otherwise the branch is given up */
    uint16_t chosen;
    uint8_t outcomes;

    next->w[HD_BT_TASK] = b->share.task;
    next->w[HD_BT_FLOOR] = b->share.floor;
    next->w[HD_BT_PREFIX] = next->w[HD_BT_GIVE] = 0;
    for (n = n < HD_TRACE_STEPS ? n : HD_TRACE_STEPS; n > b->share.floor; n--)
        if (is_left(b, n - 1, &chosen, &outcomes)) {
            next->w[HD_BT_PREFIX] = n;
            next->w[HD_BT_CHOSEN] = chosen;
            next->w[HD_BT_OUTCOMES] = outcomes;
            next->w[HD_BT_GIVE] = hd_frames_to_give(&b->share, n - 1, chosen, view, b);
            return;
        }
    if (hd_frames_are_shared(&b->share))
        return;
    out->exhausted = true;
    out->complete = (next->w[HD_BT_FLAGS] & HD_BT_NOT_ALL_SEEN) == 0;
}

void hd_backtrack_want(struct hd_backtrack *b, uint32_t k, hd_tid tid)
{
    struct hd_backtrack_frame *f = &b->frame[k];
    struct hd_set threads;

    hd_set_clear(&threads);
    if (hd_set_has(&f->enabled, tid) && !hd_backtrack_asleep(b, k, tid))
        hd_set_add(&threads, tid);
    else
        hd_set_copy(&threads, &f->enabled);
    if (k < b->share.floor)
        want_common(b, k, &threads);
    hd_set_add_all(&f->wanted, &threads);
}
