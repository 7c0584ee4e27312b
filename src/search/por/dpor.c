/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor.c - dynamic partial-order reduction: one execution per equivalence class instead of
 * one per schedule.
 *
 * dpor-optimal follows Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation for optimal dynamic
 * partial order reduction" (J. ACM 64(4), 2017), with wakeup trees: it never begins an execution that turns
 * out to be equivalent to an earlier one. dpor uses source sets and sleep sets: less memory, some redundant
 * executions.  The paper leaves some questions open (blocking operations, operations on several objects,
 * choices): see reversal.h, step.h and the rules below.
 *
 * An execution is a path (path.h) through the tree of wakeup.h: it took node k at decision k.  When it is over,
 * the search analyses its races and inserts into the tree, right of the path, the sequences that reverse them.
 * The next execution takes the next sibling of the deepest node that has one.
 *
 * D1  Each execution changes one decision of the previous one.  The nodes before that decision stay as they
 *     are.
 * D2  `begin` only does what the cursor says; `end` only adds sequences to the tree (W2) and writes the next
 *     sibling to the cursor.  Both may be repeated.  So a worker may be killed at any instruction.
 * D3  Each step of the tree is checked when it is due.  If it cannot be taken, because the runtime knows more
 *     than the model (it holds a polling thread back, for example), the search is reported as incomplete.  That
 *     is not an error of the program.
 * D4  The sleep set of a frame consists of the steps inherited from the previous frame and the siblings left of
 *     the path.
 * D5  A choice is a step of its own.  Its alternatives are steps that exclude each other: when one is taken,
 *     the others race with it but cannot run, like a lock operation that stays blocked.  So a step is done, and
 *     sleeps, when all alternatives of the choice that follows it have been explored.
 * D6  With several workers (wakeup_share.h) the nodes before d->floor are shared.  The first execution of a
 *     task follows the tree from the root to the task's node, which creates all frames.  The frames that it has
 *     in common with the worker's previous task are reused, because the sleep set at a node never changes (T1).
 *     d->usable is the number of reusable frames; it is lowered before the first of the others is overwritten.
 * D7  The accesses of an atomic section or a very long step are known only after it has run.  As the last step
 *     of a sequence it is assumed to conflict with everything, so sequences may be inserted although an
 *     explored step covers them.  Once the program has made such a step, all of v is inserted into the tree,
 *     and leaves are extended.  Before a leaf is executed, everything left of it has been explored, and
 *     footprints.h predicts the accesses of its last step.  If then a sleeping step covers the sequence that
 *     ends in the leaf, the leaf is dropped (dpor_drop.c).
 * D8  If the table of footprints has lost an entry, the search executes a leaf at which some step still sleeps,
 *     and that execution may be cut.  Reversing the races of a cut execution is not sufficient for a wakeup
 *     tree: classes could be lost.  So dpor-optimal then continues with source sets, which do not need complete
 *     executions, and analyses the races of all steps.  Each class is still counted once, but some executions
 *     are redundant. dpor-optimal uses source sets from the start with several workers, which do not know each
 *     other's footprints, and with choices, because it is unknown whether a choice follows a leaf (W4).  A step
 *     that was inserted before the change may be asleep when it is due.  Everything that begins with it has
 *     been explored, so the execution is cut there as redundant and the node is done.
 * D9  When a reversal is inserted, it may be unknown whether its last operation, which belongs to a waiting
 *     loop, would only begin another round (model/awaits.h).  If that turns out when the step is due, the step
 *     cannot run, and the execution is cut there.  Nothing is lost: the step sleeps in later siblings, but it
 *     could not run there anyway before a conflicting step wakes it.
 * D10 In a wakeup tree D9 does not suffice, because a step that cannot run may have covered other sequences.
 *     So a sequence that ends with an operation of unknown outcome is not inserted at once.  After the races of
 *     the execution have been analysed, each such sequence is tried by an execution that is cut after the
 *     operation, and those that can run are inserted.  The operation's key and the value of its location
 *     determine the outcome (model/awaits.h), so each pair of the two costs at most one extra execution.  Tries
 *     change neither the path nor its trace.  If a sequence cannot be tried (the value is unknown, or there are
 *     too many), the search goes on with source sets, as in D8. */
#include <stdatomic.h>

#include "search/core/estimate.h"
#include "search/core/strategies.h"
#include "search/por/dpor.h"

/* The words of the cursor. */
enum { CUR_DEPTH, CUR_NODE, CUR_FLAGS, CUR_TASK, CUR_FLOOR, CUR_GIVE, CUR_TRY /* 1 + the row to try (D10) */ };

enum cursor_flag { NOT_ALL_SEEN = HD_WAKEUP_NOT_ALL_SEEN };

/* The parameters. retain: with several workers, if the tree has more nodes than this, only one worker
 * continues. remember (only for dpor-optimal): number of entries in the table of footprints (footprints.h).
 * check: for tests (decided.h). */
static const struct hd_param optimal_params[] = {
    { "remember", 0, 1 << 20, 1 << 20,
      "entries of the table of objects that atomic sections touch; with fewer, more executions are redundant "
      "(1048576)" },
    { "retain", 0, INT64_MAX, 1 << 22,
      "number of branches that the workers (-j) may hold before all but one of them wait (4194304)" },
    { "oldest", 0, 1, 0, HD_OLDEST_HELP },
    { "check", 0, 1, 0, NULL },
    { .key = NULL },
};

static bool dpor_open(void **self, const struct hd_strategy_cfg *cfg, bool optimal)
{
    struct hd_dpor *d = hd_strategy_state(*self, cfg, sizeof *d);
    int64_t retain = hd_param_value(optimal_params, cfg->params, "retain");
    int64_t remember = hd_param_value(optimal_params, cfg->params, "remember");

    *self = d;
    d->optimal = optimal;
    d->checks = hd_param_value(optimal_params, cfg->params, "check") != 0;
    d->exec = cfg->exec;
    d->pool.arena = cfg->arena;
    hd_path_init(&d->path, cfg->exec, cfg->arena);
    d->path.oldest = hd_param_value(optimal_params, cfg->params, "oldest") != 0;
    hd_conflicts_init(&d->races, &d->path.trace, cfg->arena);
    hd_reversal_init(&d->reversal, &d->path.trace, cfg->arena);
    hd_cover_init(&d->cover, &d->path, cfg->arena);
    hd_decided_init(&d->decided, &d->path.trace, cfg->arena);
    hd_footprint_init(&d->footprints, &d->path.trace, cfg->arena, (uint32_t)remember);
    if (d->frames == NULL)
        d->frames = hd_arena_alloc(cfg->arena, HD_MAX_STEPS * sizeof *d->frames);
    hd_dpor_tries_init(d, cfg);
    d->reversal.blocks = cfg->blocks;
    if (cfg->blocks) /* footprints.h cannot predict where such a step would stop */
        hd_dpor_lose(d);
    hd_wakeup_share_open(&d->ws, cfg, &d->pool, retain);
    d->root = d->ws.share != NULL ? hd_wakeup_share_root(&d->ws) : &d->own_root;
    return true;
}

/* A part of a search (share.h, H4) may begin where steps sleep, and other machines do not see its wakeup tree: it uses source
 * sets, for the reasons of D8. */
static bool optimal_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return dpor_open(self, cfg, cfg->shared == NULL || hd_share_leased(cfg->shared) == NULL);
}

static bool source_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return dpor_open(self, cfg, false);
}

/* Returns how many decisions on the path to n, the node of a task, the previous execution took too.  At least
 * one decision is left to take. */
static uint32_t common_way(const struct hd_dpor *d, const struct hd_wakeup *n)
{
    uint32_t same = d->floor;

    for (uint32_t k = d->floor; k > 0; k--, n = n->parent)
        if (d->frames[k - 1].node != n || d->frames[k - 1].use != n->use)
            same = k - 1;
    if (same > d->usable)
        same = d->usable;
    return same > 0 && same == d->floor ? same - 1 : same;
}

/* Takes another task; its node determines the path to follow. */
static bool take_task(struct hd_dpor *d, const struct hd_cursor *now)
{
    uint64_t left = now->w[CUR_FLAGS] & NOT_ALL_SEEN;
    struct hd_task *t = hd_wakeup_share_next(&d->ws, now->w[CUR_TASK], left);

    if (t == NULL)
        return false;
    d->task = t->serial;
    struct hd_wakeup *n = hd_wakeup_share_node(t);

    d->first_new = hd_wakeup_share_first(t);
    d->floor = hd_wakeup_share_depth(t);
    d->usable = common_way(d, n);
    atomic_signal_fence(memory_order_release);
    for (uint32_t k = d->floor; k > d->usable; k--, n = n->parent)
        d->frames[k - 1].node = n;
    if (d->usable > 0) {
        d->resume = d->usable;
        d->prefix = d->usable + 1;
    }
    return true;
}

static void go_on(struct hd_dpor *d, const struct hd_cursor *now, uint32_t k,
                  struct hd_wakeup *next)
{
    d->fresh = false;
    d->flags = now->w[CUR_FLAGS];
    d->task = now->w[CUR_TASK];
    d->floor = (uint32_t)now->w[CUR_FLOOR];
    d->frames[k].node = next;
    d->frames[k].since = d->index;
    for (struct hd_wakeup *n = hd_dpor_parent(d, k)->child; n != next; n = n->next)
        if (n->task != HD_WAKEUP_DONE || n->child != NULL) /* otherwise it was pruned before */
            hd_wakeup_prune(&d->pool, n);
    d->resume = d->first_new = k;
    d->prefix = k + 1;
    if (now->w[CUR_GIVE] != 0) {
        d->floor = (uint32_t)now->w[CUR_GIVE];
        hd_wakeup_share_give(&d->ws, d->frames[d->floor - 1].node);
    }
}

static uint32_t dpor_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct hd_dpor *d = self;
    uint32_t k = (uint32_t)now->w[CUR_DEPTH];
    struct hd_wakeup *next = (struct hd_wakeup *)(uintptr_t)now->w[CUR_NODE];

    d->tries.now = now->w[CUR_TRY] != 0 ? &d->tries.row[now->w[CUR_TRY] - 1] : NULL;
    if (d->tries.now != NULL)
        return 0;
    d->tries.n = 0;
    d->resume = UINT32_MAX;
    hd_path_begin(&d->path);
    d->misled = d->covered = d->differs = false;
    d->index = index;
    hd_set_clear(&d->asleep);
    if (next != NULL) {
        go_on(d, now, k, next);
        return k;
    }
    d->fresh = true;
    d->prefix = d->first_new = 0;
    d->flags = 0;
    if (d->ws.share == NULL)
        return 0;
    if (!take_task(d, now))
        return hd_share_nothing(d->ws.share);
    return d->usable;
}

/* ---- running an execution ---- */

static void learn_step(struct hd_dpor *d, uint32_t k)
{
    struct hd_wakeup *n = d->frames[k].node;

    if (k < d->floor) { /* another worker may have published the step */
        if (__atomic_load_n(&n->known, __ATOMIC_ACQUIRE))
            d->differs |= !hd_step_repeats(&d->path.frame[k].step, &n->step);
        return;
    }

    if (HD_LIKELY(!(n->step.flags & HD_STEP_OPEN))) {
        n->step = d->path.frame[k].step;
    } else { /* It is not yet known whether a choice follows the step.  A worker that continues for a killed one
              * must see that as well. */
        struct hd_step open = d->path.frame[k].step;

        open.flags |= HD_STEP_OPEN;
        n->step = open;
    }
    n->known = true;
}

/* Enters decision k (rule D4), when the accesses of the previous step are known.  Returns the node to take
 * there, or NULL if the tree has none. */
static struct hd_wakeup *enter(struct hd_dpor *d, uint32_t k)
{
    if (k == d->resume)
        return d->frames[k].node;
    struct hd_wakeup *follow = d->frames[k].node;

    hd_path_enter(&d->path, k);
    d->frames[k] = (struct hd_dpor_frame){ .born = d->index, .since = d->index };
    if (k > 0) {
        learn_step(d, k - 1);
        hd_path_inherit_sleep(&d->path, k);
        const struct hd_wakeup *taken = d->frames[k - 1].node;
        bool locked = hd_dpor_lock_left(d, k - 1);

        for (const struct hd_wakeup *n = hd_dpor_parent(d, k - 1)->child; n != taken; n = n->next)
            hd_path_put_to_sleep(&d->path, k, &n->step);
        if (locked)
            hd_share_unlock(d->ws.share);
    }
    return k < d->floor ? follow : hd_dpor_parent(d, k)->child;
}

static void hang(struct hd_dpor *d, uint32_t k, struct hd_wakeup *n)
{
    atomic_signal_fence(memory_order_release);
    hd_dpor_parent(d, k)->child = n;
    d->frames[k].node = n;
}

/* Rule D8: true if the step of node n sleeps at decision k, although the tree contains it. */
static bool is_covered(const struct hd_dpor *d, uint32_t k, const struct hd_wakeup *n)
{
    return k + 1 >= d->floor && hd_path_asleep(&d->path, k, n->step.slot);
}

/* True if the step of node n was chosen freely at decision k, but its operation would only begin another round.
 * The runtime then took the step back, or began the execution again, and the node is a remainder of that
 * attempt. */
static bool was_taken_back(const struct hd_dpor *d, const struct hd_wakeup *n, const struct hd_point *at)
{
    hd_tid t = n != NULL && n->origin == HD_WAKEUP_FREELY ? hd_path_tid(&d->path, n->step.slot, at->nthreads) : HD_NO_TID;

    return t != HD_NO_TID && (hd_set_has(&at->awaiting, t) || at->last_resort) && at->step >= d->floor;
}

static hd_tid dpor_pick(void *self, const struct hd_point *at)
{
    struct hd_dpor *d = self;
    uint32_t k = at->step;

    if (HD_UNLIKELY(d->tries.now != NULL))
        return hd_dpor_try_pick(d, at);
    if (hd_path_is_over(&d->path))
        return hd_path_run_on(&d->path, at);
    struct hd_wakeup *next = enter(d, k);
    hd_tid t;

    if (HD_UNLIKELY(was_taken_back(d, next, at))) {
        hd_wakeup_drop(&d->pool, &hd_dpor_parent(d, k)->child);
        next = NULL;
    }

    if (HD_UNLIKELY(d->differs))
        return HD_OTHER_STEP;
    if (at->last_resort) {
        d->misled |= next != NULL;
        return hd_path_run_on(&d->path, at);
    }
    if (next != NULL) {
        t = hd_path_tid(&d->path, next->step.slot, at->nthreads);
        if (t != HD_NO_TID && hd_set_has(&at->enabled, t) && !(next->step.flags & HD_STEP_CHOICE)) {
            d->frames[k].node = next;
            __builtin_prefetch(next->child); /* fetch early: the tree is larger than the cache */
            if (HD_UNLIKELY(is_covered(d, k, next))) {
                d->covered = true;
                d->loses |= d->guesses;
                hd_set_copy(&d->asleep, &at->enabled);
                return HD_NO_TID;
            }
            return t;
        }
        if (t != HD_NO_TID && hd_set_has(&at->awaiting, t)) { /* rule D9: the step would only begin another round */
            d->frames[k].node = next;
            d->covered = true;
            d->misled = hd_dpor_is_optimal(d); /* rule D10 makes this impossible in a wakeup tree */
            hd_set_copy(&d->asleep, &at->enabled);
        } else {
            d->misled = true;
        }
        return HD_NO_TID;
    }
    if (HD_UNLIKELY(d->guesses))
        d->loses |= d->path.frame[k].nsleep > 0; /* rule D8: a step still sleeps at a leaf */
    t = hd_path_free_choice(&d->path, at);
    if (t == HD_NO_TID) {
        hd_set_copy(&d->asleep, &at->enabled);
        return HD_NO_TID;
    }
    static const struct hd_step unknown;
    struct hd_wakeup *n = hd_wakeup_new(&d->pool, hd_dpor_parent(d, k), &unknown);

    n->step.slot = d->exec->threads[t].slot;
    n->origin = HD_WAKEUP_FREELY;
    hang(d, k, n);
    return t;
}

/* Creates nodes for all alternatives of a choice that is not in the tree yet. */
static struct hd_wakeup *all_alternatives(struct hd_dpor *d, uint32_t k, uint32_t n)
{
    struct hd_wakeup *first = NULL;

    for (uint32_t a = n; a > 0; a--) {
        struct hd_wakeup *c = hd_wakeup_new(&d->pool, hd_dpor_parent(d, k), &(struct hd_step){
            .flags = HD_STEP_CHOICE, .alt = (uint16_t)(a - 1), .n = (uint16_t)n,
            .slot = k > 0 ? d->frames[k - 1].node->step.slot : 0 });

        c->next = first;
        first = c;
    }
    return first;
}

/* If the tree has another step here than this choice, an open choice (W4) was executed, and this choice follows
 * it directly. */
static uint32_t dpor_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct hd_dpor *d = self;
    uint32_t k = at->step;

    if (d->tries.now != NULL)
        return hd_dpor_try_choose(d, at, n);
    if (hd_path_is_over(&d->path))
        return 0;
    struct hd_wakeup *next = enter(d, k);

    d->choices = true;
    if (next == NULL) {
        next = all_alternatives(d, k, n);
        hang(d, k, next);
    } else if (k >= d->floor && k != d->resume && hd_wakeup_may_split(hd_dpor_parent(d, k))) {
        hd_wakeup_split(&d->pool, hd_dpor_parent(d, k), (uint16_t)n);
        next = hd_dpor_parent(d, k)->child;
    }
    if (!(next->step.flags & HD_STEP_CHOICE) || next->step.n != n) {
        d->misled = true;
        return HD_NO_ALTERNATIVE;
    }
    d->frames[k].node = next;
    return next->step.alt;
}

/* Builds the trace of the first n steps, of which the first `from` are known already, and completes the last
 * step. */
static bool build_trace(struct hd_dpor *d, uint32_t from, uint32_t n)
{
    if (!hd_path_trace(&d->path, n, from))
        return false;
    if (n > 0)
        learn_step(d, n - 1);
    hd_wakeup_share_learn(&d->ws, hd_dpor_parent(d, d->floor), d->floor, &d->path.trace);
    return true;
}

/* Rule D7: stores the accesses of long steps. */
static void learn_long(struct hd_dpor *d, const struct hd_execution *done)
{
    if (d->path.trace.nlong > 0 && !d->choices && hd_dpor_is_optimal(d))
        hd_footprint_learn(&d->footprints, !hd_execution_was_interrupted(done));
}

/* Keeps the frames of the finished execution for the next task.  The last frame is excluded because continuing
 * never changes it.  Keeps nothing if choices may move nodes (T5). */
static void keep_frames(struct hd_dpor *d, uint32_t n)
{
    bool choices = d->choices || hd_wakeup_share_has_choices(&d->ws);

    d->usable = 0;
    if (d->ws.share == NULL || n == 0 || choices)
        return;
    for (uint32_t k = 0; k < n; k++)
        d->frames[k].use = d->frames[k].node->use;
    atomic_signal_fence(memory_order_release);
    d->usable = n - 1;
}

/* Returns 1 + the depth of the node nearest to the root that will still have siblings right of it when the next
 * execution has begun; 0 if there is none. */
static uint32_t node_to_give(const struct hd_dpor *d, const struct hd_cursor *next)
{
    uint32_t top = (uint32_t)next->w[CUR_DEPTH];
    const struct hd_wakeup *last = (const struct hd_wakeup *)(uintptr_t)next->w[CUR_NODE];

    for (uint32_t k = d->floor; k < top; k++)
        if (d->frames[k].node->next != NULL)
            return k + 1;
    return last->next != NULL ? top + 1 : 0;
}

static void choose_next(struct hd_dpor *d, uint32_t n, struct hd_cursor *next,
                        struct hd_outcome *out)
{
    next->w[CUR_TASK] = d->task;
    next->w[CUR_FLOOR] = d->floor;
    next->w[CUR_NODE] = next->w[CUR_GIVE] = next->w[CUR_TRY] = 0;
    for (; n > d->floor; n--)
        if (d->frames[n - 1].node->next != NULL) {
            next->w[CUR_DEPTH] = n - 1;
            next->w[CUR_NODE] = (uintptr_t)d->frames[n - 1].node->next;
            if (d->ws.share != NULL && hd_share_wanted(d->ws.share))
                next->w[CUR_GIVE] = node_to_give(d, next);
            return;
        }
    if (d->ws.share != NULL)
        return;
    out->exhausted = true;
    out->complete = (next->w[CUR_FLAGS] & NOT_ALL_SEEN) == 0;
}

/* Continues after an ordinary execution.  The first `row` of its reversals of unknown outcome (D10) have been
 * decided. */
static void try_or_choose(struct hd_dpor *d, uint32_t row, struct hd_cursor *next, struct hd_outcome *out)
{
    if (row == d->tries.n) {
        choose_next(d, d->tries.ndecided, next, out);
        return;
    }
    next->w[CUR_TASK] = d->task;
    next->w[CUR_FLOOR] = d->floor;
    next->w[CUR_TRY] = row + 1;
}

/* Rule D10: continues after an execution that tried a row. */
static void end_try(struct hd_dpor *d, struct hd_cursor *next, struct hd_outcome *out)
{
    uint32_t row = hd_dpor_settle(d, (uint32_t)(d->tries.now - d->tries.row), true);

    out->redundant = true;
    if (row == d->tries.n)
        hd_dpor_tries_over(d);
    try_or_choose(d, row, next, out);
}

static void dpor_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct hd_dpor *d = self;
    uint32_t n = hd_path_length(&d->path);
    uint32_t least = d->fresh ? d->floor : d->prefix;
    bool learnt = false;

    if (d->choices)
        hd_wakeup_share_note(&d->ws, HD_WAKEUP_CHOICES);
    next->w[CUR_FLAGS] = now->w[CUR_TRY] != 0 ? now->w[CUR_FLAGS] : d->flags;
    if (d->tries.now != NULL) {
        end_try(d, next, out);
        return;
    }
    out->tree_max = d->optimal ? (uint64_t)d->pool.in_use_max : 0; /* source sets need no tree */
    if (hd_execution_was_interrupted(done) || d->misled)
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    if (n < least && d->covered) { /* cut at the first step of the branch: the races of all earlier steps have
                                    * been analysed */
        learnt = true;
    } else if (n < least || done->ending == HD_END_DIVERGED) {
        n = least; /* nothing to analyse; give up the branch */
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    } else if (build_trace(d, d->prefix > 0 ? d->prefix - 1 : 0, n)) {
        hd_dpor_races(d, n);
        learn_long(d, done);
        learnt = true;
    } else {
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    }
    keep_frames(d, learnt ? n : 0);
    d->ndecided = n;
    d->analysed = learnt;
    if (d->guesses && learnt && hd_dpor_is_optimal(d))
        hd_dpor_drop(d, n);
    d->tries.ndecided = d->covered ? n + 1 : n;
    uint32_t row = hd_dpor_settle(d, 0, false);

    if (row < d->tries.n)
        hd_dpor_tries_keep(d, n);
    try_or_choose(d, row, next, out);
}

/* Siblings may still be added, so the number of branches is a lower bound. */
static bool dpor_branch(const void *self, uint32_t i, struct hd_branch *out)
{
    const struct hd_dpor *d = self;
    const struct hd_dpor_frame *f = &d->frames[i];
    const struct hd_wakeup *first = i == 0 ? d->root->child : d->frames[i - 1].node->child;

    if (i >= d->ndecided)
        return false;
    *out = (struct hd_branch){ .born = f->born, .since = f->since };
    for (const struct hd_wakeup *n = first; n != NULL && n != f->node; n = n->next)
        out->explored++;
    out->all = out->explored;
    for (const struct hd_wakeup *n = f->node; n != NULL; n = n->next)
        out->all++;
    return true;
}

/* With several workers: stores how much of the task has been explored, computed from the branches that this worker
 * has taken. */
static void dpor_tell(void *self)
{
    struct hd_dpor *d = self;
    struct hd_estimate e;
    struct hd_branch b;

    if (!d->analysed) /* some frames may have no node */
        return;
    hd_estimate_start(&e);
    for (uint32_t i = d->floor; dpor_branch(d, i, &b); i++)
        hd_estimate_branch(&e, b.all, b.explored, 0);
    hd_estimate_leaf(&e, 1);
    hd_wakeup_share_tell(&d->ws, e.explored);
}

const struct hd_strategy_ops hd_strategy_dpor_optimal = {
    .name = "dpor-optimal",
    .repeats = HD_REPEATS_ALL,
    .split = HD_SPLIT_TASKS,
    .summary = "partial-order reduction with wakeup trees: each behaviour exactly once",
    .traits = { .coverage = HD_COVERS_CLASSES, .counts_classes = true, .awaits = true },
    .params = optimal_params,
    .open = optimal_open,
    .begin = dpor_begin,
    .pick = dpor_pick,
    .choose = dpor_choose,
    .end = dpor_end,
    .branch = dpor_branch,
    .tell = dpor_tell,
};

const struct hd_strategy_ops hd_strategy_dpor = {
    .name = "dpor",
    .repeats = HD_REPEATS_ALL,
    .split = HD_SPLIT_TASKS,
    .summary = "partial-order reduction with source sets and sleep sets",
    .traits = { .coverage = HD_COVERS_CLASSES, .awaits = true, .blocks = true },
    .params = optimal_params + 1,
    .open = source_open,
    .begin = dpor_begin,
    .pick = dpor_pick,
    .choose = dpor_choose,
    .end = dpor_end,
    .branch = dpor_branch,
    .tell = dpor_tell,
};
