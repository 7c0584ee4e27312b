/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate.c - depth-first enumeration with a stack of branching points.
 *
 * Only points at which the bound allows two or more alternatives get a frame.  So a point without a choice
 * costs only a few instructions, and the stack stays short.  The arena has room for the frames of the longest
 * execution; pages that are never reached are never touched.
 *
 * E1  The frames before the top one, which the cursor names, belong to the prefix.  An earlier execution wrote
 *     them, and they do not change as long as a later frame is the top.
 * E2  `end` only reads frames and stores the next alternative in the new cursor; `begin` copies it into the
 *     frame.  So an `end` that is interrupted before its commit changes nothing.
 * E3  An alternative that costs more than the bound comes after all cheaper ones of its
 *     point.
 * E4  With several workers the frames are those of one task.  The first one is the frame that another worker
 *     gave away, with its remaining alternatives.  If the cursor says so, `begin` gives away the remaining
 *     alternatives of a frame; from then on that frame is closed.
 *
 * A pass with a larger bound visits the schedules of lower cost again and reports them as redundant (the study
 * of SCT counts these, too).  This costs less than remembering every point where alternatives were pruned.
 *
 * Looking up the cache during a depth-first search is sound.  When a state is reached again, the search has
 * left all frames after its first visit, because a state does not recur within an execution.  So everything
 * that can follow has been explored or, if a worker was lost, the search reports that it is not complete.  A
 * pass with a larger bound ignores the entries of the previous pass. (For several workers see
 * enumerate_share.c.) */
#include "search/enumerate/enumerate_state.h"

#include <stdatomic.h>

#include "base/rules.h"
#include "search/core/count.h"

const struct hd_param hd_enumerate_params[] = {
    { "finish", 0, 1, 0, "1: stop after the bound at which the first bug was found (0)" },
    { .key = NULL },
};

/* Returns false if the reducer is not available. */
static bool open_reducer(struct hd_enumerate *e, const struct hd_strategy_cfg *cfg)
{
    bool lazy = cfg->reducer == HD_REDUCE_LAZYCACHE;

    e->reducer = cfg->reducer;
    if (cfg->reducer == HD_REDUCE_NONE)
        return true;
    if (lazy && (!cfg->plain_events || (cfg->nworkers > 1 && cfg->learnt == NULL)))
        return false;
    e->cache_mb = (uint64_t)hd_param_value(hd_reducer_params, cfg->params, "cache");
    hd_hbr_init(&e->hbr, cfg->arena, cfg->exec, lazy, lazy && cfg->nworkers > 1 ? cfg->learnt : NULL);
    if (cfg->shared != NULL && hd_share_leased(cfg->shared) != NULL) /* machines do not see each other's caches */
        return false;
    if (cfg->nworkers <= 1)
        hd_cache_init(&e->cache, cfg->arena, e->cache_mb);
    return true;
}

bool hd_enumerate_open(void **self, const struct hd_strategy_cfg *cfg, enum hd_cost cost)
{
    struct hd_enumerate *e = hd_strategy_state(*self, cfg, sizeof *e);

    *self = e;
    e->cost_model = cost;
    e->finish = hd_param_value(hd_enumerate_params, cfg->params, "finish") != 0;
    e->last_bound = cost == HD_COST_NONE || cfg->bound < 0 ? INT64_MAX : cfg->bound;
    e->decisions = cfg->decisions;
    e->stands = cfg->stands;
    if (e->frames == NULL)
        e->frames = hd_arena_alloc(cfg->arena, HD_MAX_STEPS * sizeof *e->frames);
    if (!open_reducer(e, cfg))
        return false;
    hd_enumerate_share_open(e, cfg);
    return true;
}

static inline hd_tid first_offered(const struct hd_set *offered, hd_tid first)
{
    unsigned t = hd_set_next(offered, first);

    return (hd_tid)(t < HD_MAX_THREADS ? t : hd_set_next(offered, 0));
}

/* Returns how many threads of the frame come before t in its order. */
static uint32_t offered_before(const struct hd_enum_frame *f, hd_tid t)
{
    uint32_t n = 0;

    HD_SET_EACH(id, &f->offered)
        n += t >= f->first ? id >= f->first && id < t : id >= f->first || id < t;
    return n;
}

static uint32_t cost_of(const struct hd_enumerate *e, const struct hd_enum_frame *f,
                        uint16_t chosen)
{
    if (f->alternatives != 0 || f->free)
        return 0;
    return e->cost_model == HD_COST_DELAYS ? offered_before(f, chosen) : chosen != f->first;
}

bool hd_enumerate_next(const struct hd_enumerate *e, const struct hd_enum_frame *f, uint16_t *out)
{
    if (f->closed)
        return false;
    if (f->alternatives != 0) {
        *out = (uint16_t)(f->chosen + 1);
        return *out < f->alternatives;
    }
    *out = first_offered(&f->offered, (hd_tid)(f->chosen + 1));
    if (*out == first_offered(&f->offered, f->first))
        return false; /* all alternatives were tried */
    return f->free || f->cost + cost_of(e, f, *out) <= e->bound;
}

bool hd_enumerate_is_last(const struct hd_enumerate *e, uint64_t bound, uint64_t flags,
                          bool *complete)
{
    bool all = (flags & HD_ENUM_PASS_PRUNED) == 0 || (int64_t)bound >= e->last_bound;

    *complete = all && (flags & HD_ENUM_NOT_ALL_SEEN) == 0;
    return all || (e->finish && (flags & HD_ENUM_BUG_IN_PASS) != 0);
}

/* ---- running an execution ---- */

uint32_t hd_enumerate_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct hd_enumerate *e = self;
    uint16_t chosen = (uint16_t)now->w[HD_ENUM_CHOSEN];
    bool new_task = now->w[HD_ENUM_TASK] == 0 || (now->w[HD_ENUM_FLAGS] & HD_ENUM_TASK_OVER) != 0;

    e->pruned = false;
    e->cost = 0;
    e->index = index;
    e->first = now->w[HD_ENUM_FIRST];
    e->restarted_at = now->w[HD_ENUM_RESTARTED_AT];
    hd_enumerate_attempt_over(e, index);
    if (e->share == NULL || !new_task) {
        e->flags = now->w[HD_ENUM_FLAGS];
        e->task = now->w[HD_ENUM_TASK];
        e->bound = (uint32_t)now->w[HD_ENUM_BOUND];
        e->nframes = (uint32_t)now->w[HD_ENUM_NFRAMES];
    } else if (!hd_enumerate_take(e, now, &chosen)) {
        return hd_share_nothing(e->share);
    }
    hd_enumerate_attempt(e, index);
    e->kept = e->nframes;
    if (e->reducer != HD_REDUCE_NONE)
        hd_hbr_begin(&e->hbr, e->first, e->nframes > 0 ? e->frames[e->nframes - 1].nhashed : 0);
    if (e->nframes == 0)
        return 0;
    struct hd_enum_frame *top = &e->frames[e->nframes - 1];

    HD_CHECK(top->alternatives != 0 ? chosen < top->alternatives : hd_set_has(&top->offered, chosen),
             "E2: the cursor names an alternative of its frame");
    top->chosen = chosen;
    top->since = index;
    e->cost = top->cost + cost_of(e, top, top->chosen);
    e->decisions[top->step] = (struct hd_decision){
        .chosen = top->chosen, .alternatives = top->alternatives, .sig = HD_SIG_ANY };
    if (!new_task && now->w[HD_ENUM_GIVE] != 0)
        hd_enumerate_give(e, &e->frames[now->w[HD_ENUM_GIVE] - 1], index);
    return top->step + 1;
}

/* Completes the frame before it is counted, because another process may read it if this one is killed. */
static inline void push(struct hd_enumerate *e)
{
    e->frames[e->nframes].born = e->frames[e->nframes].since = e->index;
    atomic_signal_fence(memory_order_release);
    e->nframes++;
}

static inline bool is_single(const struct hd_set *s, uint32_t nthreads)
{
    uint64_t seen = 0;

    for (uint32_t i = 0; i * 64 < nthreads; i++) {
        uint64_t w = hd_set_word(s, i);

        if ((w & (w - 1)) != 0 || (w != 0 && seen != 0))
            return false;
        seen |= w;
    }
    return true;
}

/* Returns the threads that may be chosen; those that have yielded only if no other is enabled. */
static inline const struct hd_set *offer(const struct hd_point *at, struct hd_set *buf)
{
    if (HD_LIKELY(hd_set_is_empty(&at->yielded)))
        return &at->enabled;
    *buf = hd_set_minus(&at->enabled, &at->yielded);
    return hd_set_is_empty(buf) ? &at->enabled : buf;
}

/* Adds to the key what the cost of later delays depends on: the numbers of the threads, and the thread that ran
 * last. */
static struct hd_hash128 with_numbers(const struct hd_hbr *h, const struct hd_point *at,
                                      struct hd_hash128 key)
{
    for (unsigned t = 0; t < at->nthreads; t++)
        key = hd_hash128_word(key, h->exec->threads[t].slot);
    return hd_hash128_word(key, at->last);
}

/* True if everything that can follow this point has been explored with at least the remaining bound. */
static __attribute__((noinline)) bool was_explored(struct hd_enumerate *e,
                                                   const struct hd_point *at, bool free)
{
    hd_hbr_update(&e->hbr);
    struct hd_cache_visit v = {
        .key = hd_hbr_point(&e->hbr, at), .index = e->index, .first = e->first, .count = e->cost,
        .last = free || e->cost_model == HD_COST_DELAYS ? HD_CACHE_ANY
                                                        : e->hbr.exec->threads[at->last].slot };

    if (e->cost_model == HD_COST_DELAYS)
        v.key = with_numbers(&e->hbr, at, v.key);
    return e->cost <= HD_CACHE_MAX_COUNT && hd_enumerate_visited(e, &v);
}

/* Takes back the choice at this step, because its thread has turned out to be disabled.  If that thread ran
 * last, switching to another one costs nothing. */
static void take_back(struct hd_enumerate *e, uint32_t step)
{
    if (e->nframes > e->kept && e->frames[e->nframes - 1].step == step)
        e->nframes--;
    e->pruned = e->pruned_before;
}

hd_tid hd_enumerate_pick(void *self, const struct hd_point *at)
{
    struct hd_enumerate *e = self;
    struct hd_set buf;
    const struct hd_set *offered = offer(at, &buf);

    if (HD_UNLIKELY(at->again))
        take_back(e, at->step);
    if (HD_UNLIKELY(at->nuntried > 0) && e->cost_model == HD_COST_DELAYS)
        e->flags |= HD_ENUM_NOT_ALL_SEEN; /* the costs of the alternatives are unknown: see core/waits.c */
    e->pruned_before = e->pruned;
    bool last_goes_on = at->last_enabled && !at->last_yielded;
    hd_tid first = (hd_tid)(at->last + at->last_yielded);
    hd_tid next = first_offered(offered, first);

    if (is_single(offered, at->nthreads) || e->covered || at->only_waits)
        return next;
    bool free = e->cost_model == HD_COST_NONE ||
                (e->cost_model == HD_COST_PREEMPTIONS && !last_goes_on);

    if (!free && e->cost == e->bound) {
        e->pruned = true;
        return next;
    }
    if (e->reducer != HD_REDUCE_NONE && was_explored(e, at, free)) {
        e->covered = e->again;
        return e->covered ? next : HD_NO_TID;
    }
    struct hd_enum_frame *f = &e->frames[e->nframes];

    hd_set_copy(&f->offered, offered);
    f->step = at->step;
    f->cost = e->cost;
    f->nhashed = e->hbr.nevents;
    f->alternatives = 0;
    f->first = first;
    f->chosen = next;
    f->free = free;
    f->closed = false;
    if (e->cost_model == HD_COST_DELAYS)
        e->pruned |= hd_count_members(offered, at->nthreads) - 1 > e->bound - e->cost;
    push(e);
    return next;
}

uint32_t hd_enumerate_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct hd_enumerate *e = self;

    if (n > 1 && !e->covered) {
        e->frames[e->nframes] = (struct hd_enum_frame){ .step = at->step, .cost = e->cost,
                                                .nhashed = e->hbr.nevents,
                                                .alternatives = (uint16_t)n, .free = true };
        push(e);
    }
    return 0;
}

/* ---- the end of an execution ------------------------------------------------------ */

/* Returns the number of frames whose decision was really taken: those of the prefix, and later ones whose
 * decision was recorded before the execution ended. */
static uint32_t frames_decided(const struct hd_enumerate *e, const struct hd_execution *done)
{
    uint32_t n = e->nframes;

    while (n > e->kept && e->frames[n - 1].step >= done->nsteps)
        n--;
    return n;
}

/* True if the execution is equivalent to one that was counted. (If only this one has failed, a data race made
 * the difference, and it counts.) */
static bool repeats(struct hd_enumerate *e, const struct hd_execution *done)
{
    static const uint64_t whole = 1; /* distinguishes a complete execution from a point */

    if (done->ending == HD_END_CUT)
        return true;
    if (e->hbr.busy || hd_execution_was_interrupted(done))
        return false;
    hd_hbr_update(&e->hbr);
    struct hd_cache_visit v = { .key = hd_hash128_word(e->hbr.sum, whole | e->restarted_at << 1), .index = e->index,
                                .count = done->findings == 0, .last = HD_CACHE_ANY };

    return hd_enumerate_counted(e, &v);
}

/* True if something that is not an event influenced this execution.  Then states with equal hashes may differ. */
static bool is_opaque(const struct hd_enumerate *e, const struct hd_execution *done)
{
    return e->hbr.cancels || done->loop_cuts > 0 || done->grace_cuts > 0;
}

static void end_reduced(struct hd_enumerate *e, const struct hd_execution *done,
                        struct hd_cursor *next, struct hd_outcome *out)
{
    out->redundant |= repeats(e, done);
    if (is_opaque(e, done))
        next->w[HD_ENUM_FLAGS] |= HD_ENUM_NOT_ALL_SEEN;
}

/* Starts the search again, because the lazy relation has ignored the order of a mutex whose order matters.  (Several
 * workers begin a new pass together instead: core/passes.h.) */
static void start_again(const struct hd_enumerate *e, struct hd_cursor *next, struct hd_outcome *out)
{
    next->w[HD_ENUM_NFRAMES] = 0;
    next->w[HD_ENUM_BOUND] = 0;
    next->w[HD_ENUM_FLAGS] &= HD_ENUM_NOT_ALL_SEEN;
    next->w[HD_ENUM_FIRST] = next->w[HD_ENUM_RESTARTED_AT] = e->index + 1;
    out->restarted = true;
}

/* No alternative is left at this bound: continues with the next bound, or stops. */
static void end_pass(const struct hd_enumerate *e, struct hd_cursor *next, struct hd_outcome *out)
{
    uint64_t flags = next->w[HD_ENUM_FLAGS];
    bool complete;

    next->w[HD_ENUM_NFRAMES] = 0;
    if (e->share != NULL) {
        next->w[HD_ENUM_FLAGS] |= HD_ENUM_TASK_OVER;
    } else if (hd_enumerate_is_last(e, e->bound, flags, &complete)) {
        out->exhausted = true;
        out->complete = complete;
    } else {
        next->w[HD_ENUM_BOUND] = e->bound + 1;
        next->w[HD_ENUM_FLAGS] = flags & HD_ENUM_NOT_ALL_SEEN;
        next->w[HD_ENUM_FIRST] = e->index + 1;
    }
}

/* Returns 1 + the index of the frame nearest to the root that still has alternatives once the execution that
 * the cursor names has begun; 0 if there is none.  Such a frame usually has the most executions below it. */
static uint64_t frame_to_give(const struct hd_enumerate *e, const struct hd_cursor *next)
{
    uint64_t n = next->w[HD_ENUM_NFRAMES];
    uint16_t unused;

    for (uint64_t i = 0; i + 1 < n; i++)
        if (hd_enumerate_next(e, &e->frames[i], &unused))
            return i + 1;
    struct hd_enum_frame top = e->frames[n - 1];

    top.chosen = (uint16_t)next->w[HD_ENUM_CHOSEN];
    return hd_enumerate_next(e, &top, &unused) ? n : 0;
}

void hd_enumerate_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                      struct hd_cursor *next, struct hd_outcome *out)
{
    struct hd_enumerate *e = self;
    uint16_t chosen;

    (void)now;
    out->redundant = e->cost_model != HD_COST_NONE && e->cost < e->bound;
    out->bound = e->cost_model == HD_COST_NONE ? -1 : (int64_t)e->bound;
    next->w[HD_ENUM_FLAGS] = e->flags;
    next->w[HD_ENUM_BOUND] = e->bound;
    next->w[HD_ENUM_TASK] = e->task;
    next->w[HD_ENUM_GIVE] = 0;
    if (e->reducer != HD_REDUCE_NONE)
        end_reduced(e, done, next, out);
    if (e->pruned)
        next->w[HD_ENUM_FLAGS] |= HD_ENUM_PASS_PRUNED;
    if (done->findings > 0 && !out->redundant)
        next->w[HD_ENUM_FLAGS] |= HD_ENUM_BUG_IN_PASS;
    if (hd_execution_was_interrupted(done))
        next->w[HD_ENUM_FLAGS] |= HD_ENUM_NOT_ALL_SEEN;
    if (e->hbr.discovered && e->share == NULL) {
        start_again(e, next, out);
        return;
    }
    for (uint32_t n = frames_decided(e, done); n > 0; n--) {
        if (hd_enumerate_next(e, &e->frames[n - 1], &chosen)) {
            next->w[HD_ENUM_NFRAMES] = n;
            next->w[HD_ENUM_CHOSEN] = chosen;
            if (e->share != NULL && hd_share_wanted(e->share))
                next->w[HD_ENUM_GIVE] = frame_to_give(e, next);
            return;
        }
    }
    end_pass(e, next, out);
}

/* Returns the number of alternatives of the frame that the bound allows. */
static uint32_t affordable(const struct hd_enumerate *e, const struct hd_enum_frame *f)
{
    uint32_t n = f->alternatives != 0 ? f->alternatives : hd_set_count(&f->offered);
    uint32_t left = e->bound - f->cost;

    if (f->alternatives != 0 || e->cost_model != HD_COST_DELAYS || left >= n)
        return n;
    return left + 1;
}

bool hd_enumerate_branch(const void *self, uint32_t i, struct hd_branch *out)
{
    const struct hd_enumerate *e = self;
    const struct hd_enum_frame *f = &e->frames[i];

    if (i >= e->nframes)
        return false;
    *out = (struct hd_branch){
        .all = affordable(e, f), .born = f->born, .since = f->since,
        .explored = f->alternatives != 0 ? f->chosen : offered_before(f, f->chosen) };
    return true;
}

void hd_enumerate_tells(void *self)
{
    struct hd_enumerate *e = self;

    hd_enumerate_tell(e);
}
