/* SPDX-License-Identifier: BSD-2-Clause
 *
 * enumerate_share.c - enumeration by several workers.  Makes no libc calls.
 *
 * With a reducer all workers use one cache.  A visit found there belongs to an execution that counts
 * (cache_shared.h), but what follows it need not have been explored yet: some of it may be queued, or another
 * worker may be exploring it and cutting executions by the same cache.  When the search is over, nothing is
 * missing nevertheless.  The proof is by induction over prefixes, longest first:
 *
 * C1  Where a visit was entered, every alternative that the bound allows is tried, by its
 *     worker or by the worker that received it: no task is lost.  Each alternative leads to
 *     a prefix that is longer by at least one event, whose continuations are explored by
 *     induction.
 * C2  Where a visit was cut, a covering visit was entered at an equal prefix in the same
 *     pass.  By C1 its continuations are explored.  The order in time does not matter, and
 *     visits cannot cover each other in a cycle.
 *
 * With a lazy cache a worker may find a mutex whose order matters.  The pass is void then: all workers begin a new one
 * (core/passes.h) with empty tables.
 *
 * Each bound is a pass of its own: the next one begins when the current one has no tasks left.
 *
 * A separate table decides which executions count, and nothing else: the first one of each class, so that the count
 * is the same as with one worker.  If an execution that reached its end is repeated, it must reach the same end and
 * find its own entry there (K1), because equivalent executions may have been left uncounted because of it. So a
 * repeated execution is not cut at states that other workers have visited meanwhile; it continues without looking
 * for alternatives. */
#include "search/enumerate/enumerate_state.h"

#include "base/check.h"
#include "search/core/estimate.h"

static void queue_pass(struct hd_share *sh, uint64_t bound)
{
    struct hd_task *t = hd_share_task(sh, sizeof(struct hd_enum_branch));
    struct hd_enum_branch *b = (struct hd_enum_branch *)t->payload;

    *b = (struct hd_enum_branch){ .bound = (uint32_t)bound, .weight = 1 };
    for (uint32_t i = 0; i < HD_SHARE_WORKERS; i++)
        hd_share_put(&sh->part[i], 0);
    hd_share_write(sh, &sh->bound, bound);
    hd_share_queue(sh, t);
}

/* The tables that all workers share if they use a reducer. */
struct tables {
    struct hd_cache_shared *visited;
    struct hd_cache counted;
};

static void make_tables(const struct hd_enumerate *e, struct hd_share *sh)
{
    uint64_t most = (sh->size >> 20) / 4;
    uint64_t mb = e->cache_mb < most ? e->cache_mb : most;
    struct tables *t = hd_share_alloc(sh, sizeof *t);

    t->visited = hd_cache_shared_make(sh, mb);
    hd_cache_place(&t->counted, hd_share_alloc(sh, hd_cache_bytes(mb)), mb);
    hd_share_write_pointer(sh, &sh->root, t);
}

static struct tables *tables_of(const struct hd_enumerate *e)
{
    return e->share->root;
}

static void start_passes(void *self, struct hd_share *sh)
{
    const struct hd_enumerate *e = self;

    if (e->reducer != HD_REDUCE_NONE)
        make_tables(e, sh);
    queue_pass(sh, 0);
}

static void finish_branch(void *self, struct hd_share *sh, struct hd_task *t)
{
    struct hd_enumerate *e = self;

    (void)t;
    e->finished += e->weight - e->given;
    hd_share_put(&sh->part[e->worker], e->finished);
    e->weight = e->given = 0;
    hd_share_write(sh, &sh->flags, sh->flags | (e->flags & ~(uint64_t)HD_ENUM_TASK_OVER));
}

static void settle_nothing(void *self, struct hd_share *sh)
{
    (void)self;
    (void)sh;
}

static bool fits_always(void *self, struct hd_share *sh, const struct hd_task *t)
{
    (void)self;
    (void)sh;
    (void)t;
    return true;
}

static void next_pass(void *self, struct hd_share *sh)
{
    const struct hd_enumerate *e = self;
    bool complete;

    bool last = hd_enumerate_is_last(e, sh->bound, sh->flags, &complete);

    if (last || sh->leased) {
        hd_share_write(sh, &sh->verdict, HD_SHARE_OVER | (complete ? HD_SHARE_COMPLETE : 0u));
        return;
    }
    hd_share_write(sh, &sh->flags, sh->flags & HD_ENUM_NOT_ALL_SEEN);
    queue_pass(sh, sh->bound + 1);
}

static const struct hd_share_user tasks = {
    .start = start_passes,
    .finish = finish_branch,
    .settle = settle_nothing,
    .fits = fits_always,
    .idle = next_pass,
};

void hd_enumerate_share_open(struct hd_enumerate *e, const struct hd_strategy_cfg *cfg)
{
    e->worker = cfg->worker;
    e->share = hd_share_open(cfg, &tasks, e);
}

/* ---- how much is explored ---- */

/* Moves down the path to frame n. At the first frame only the alternatives that belong to the task count. */
static void descend(const struct hd_enumerate *e, uint32_t n, struct hd_estimate *est)
{
    struct hd_branch b;

    hd_estimate_start(est);
    for (uint32_t i = 0; i < n && hd_enumerate_branch(e, i, &b); i++) {
        uint32_t others = i == 0 ? e->start : 0;

        if (b.all > b.explored && b.explored >= others)
            hd_estimate_branch(est, b.all - others, b.explored - others, 0);
    }
}

void hd_enumerate_tell(struct hd_enumerate *e)
{
    struct hd_estimate est;

    descend(e, e->nframes, &est);
    hd_estimate_leaf(&est, 1);
    hd_share_put(&e->share->part[e->worker], e->finished + e->weight * est.explored);
}

/* Returns the weight of those alternatives of frame f that come after its current one. */
static double weight_of_rest(const struct hd_enumerate *e, const struct hd_enum_frame *f)
{
    uint32_t k = (uint32_t)(f - e->frames);
    struct hd_estimate est;
    struct hd_branch b;

    descend(e, k + 1, &est);
    return hd_enumerate_branch(e, k, &b) ? e->weight * est.share * (b.all - b.explored - 1) : 0;
}

void hd_enumerate_give(struct hd_enumerate *e, struct hd_enum_frame *f, uint64_t index)
{
    struct hd_share *sh = e->share;

    hd_share_lock(sh, e->worker);
    if (sh->gift[e->worker] != index + 1) {
        struct hd_task *t =
            hd_share_task(sh, sizeof(struct hd_enum_branch) + f->step * sizeof *e->decisions);
        struct hd_enum_branch *b = (struct hd_enum_branch *)t->payload;

        *b = (struct hd_enum_branch){ .bound = e->bound, .nframes = 1, .frame = *f,
                                      .weight = weight_of_rest(e, f) };
        e->given += b->weight;
        b->frame.closed = false;
        for (uint32_t i = 0; i < f->step; i++)
            b->prefix[i] = e->decisions[i];
        hd_share_queue(sh, t);
        hd_share_write(sh, &sh->gift[e->worker], index + 1);
        hd_share_write(sh, &sh->given, sh->given + 1);
        hd_share_write(sh, &sh->wanted, 0);
        hd_share_commit(sh);
    }
    hd_share_unlock(sh);
    f->closed = true;
}

/* Starts with the frame that another worker gave away.  This worker has no hashes of the events before it. */
static void take_frame(struct hd_enumerate *e, const struct hd_enum_branch *b, uint16_t *chosen)
{
    e->frames[0] = b->frame;
    e->frames[0].nhashed = 0;
    for (uint32_t i = 0; i < b->frame.step; i++)
        e->decisions[i] = b->prefix[i];
    for (uint32_t i = 0; i <= b->frame.step; i++) /* another worker recorded these points */
        e->stands[i] = 0;
    bool left = hd_enumerate_next(e, &e->frames[0], chosen);

    HD_INVARIANT(left, "nothing was left of a branch");
    struct hd_branch first;

    if (hd_enumerate_branch(e, 0, &first))
        e->start = first.explored + 1;
}

bool hd_enumerate_take(struct hd_enumerate *e, const struct hd_cursor *now, uint16_t *chosen)
{
    e->flags = now->w[HD_ENUM_FLAGS];
    struct hd_task *t = hd_share_next(e->share, e->worker, now->w[HD_ENUM_TASK], &tasks, e);

    if (t == NULL)
        return false;
    const struct hd_enum_branch *b = (const struct hd_enum_branch *)t->payload;

    e->flags = 0;
    e->task = t->serial;
    e->bound = b->bound;
    e->nframes = b->nframes;
    e->weight = b->weight;
    e->given = 0;
    e->start = 0;
    if (e->finished_bound != e->bound)
        e->finished = 0;
    e->finished_bound = e->bound;
    if (b->nframes > 0)
        take_frame(e, b, chosen);
    return true;
}

/* Called when execution `index` begins: ends the attempt before it.  If that attempt had the same index, it was
 * interrupted and does not count.  A process that is killed inside this function may mark as failed an attempt
 * that succeeded or was never made; both are harmless. `again` is derived from attempt_at, which stays set, so
 * it survives a second kill. */
void hd_enumerate_attempt_over(struct hd_enumerate *e, uint64_t index)
{
    e->covered = false;
    e->again = e->attempt_at == index + 1 && e->share != NULL;
    if (e->share == NULL || e->reducer == HD_REDUCE_NONE || e->attempt_at == 0)
        return;
    hd_cache_shared_over(tables_of(e)->visited, e->worker, e->again);
    if (!e->again)
        __atomic_store_n(&e->attempt_at, 0, __ATOMIC_RELEASE);
}

void hd_enumerate_attempt(struct hd_enumerate *e, uint64_t index)
{
    __atomic_store_n(&e->attempt_at, index + 1, __ATOMIC_RELEASE);
}

bool hd_enumerate_visited(struct hd_enumerate *e, const struct hd_cache_visit *v)
{
    if (e->share == NULL)
        return hd_cache_known(&e->cache, v);
    return hd_cache_shared_known(tables_of(e)->visited, e->worker, e->bound, v);
}

bool hd_enumerate_counted(struct hd_enumerate *e, const struct hd_cache_visit *v)
{
    if (e->share == NULL)
        return hd_cache_known(&e->cache, v);
    hd_share_lock(e->share, e->worker);
    bool known = hd_cache_known(&tables_of(e)->counted, v);

    hd_share_unlock(e->share);
    return known;
}
