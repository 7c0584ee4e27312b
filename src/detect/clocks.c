/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clocks.c - adds happens-before edges, depending on the kind of event.  Makes no libc calls.
 *
 * Signals of condition variables and wake-ups of futexes order nothing; only the mutex and the atomic
 * operations around them do.  C11 and POSIX say nothing about some operations through which threads pass data
 * in practice (exit, timers, unknown calls).  These order everything on their object, to avoid false reports.
 * Pipes and similar channels order readers after writers, if the channel is known (enum hd_flow). */
#include "detect/clocks.h"
#include "base/rules.h"

enum { ORDER_RELAXED, ORDER_CONSUME, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST };

void hd_clocks_init(struct hd_clocks *c, struct hd_arena *arena, uint32_t nobjects)
{
    c->word = hd_arena_alloc(arena, HD_CLOCKS_WORDS * sizeof *c->word);
    c->position = hd_arena_alloc(arena, HD_CLOCKS_SEGMENTS * sizeof *c->position);
    c->owner = hd_arena_alloc(arena, HD_CLOCKS_SEGMENTS * sizeof *c->owner);
    c->sync = hd_arena_alloc(arena, nobjects * sizeof *c->sync);
    c->nsync = nobjects;
    c->next = c->first = 1;
}

/* Clocks are copied and compared in groups of four.  Entries after that of the last thread are not used in this
 * execution. */
enum { LANES = 4 };
typedef uint32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static inline uint32_t whole_lanes(uint32_t n)
{
    return (n + LANES - 1) & ~(uint32_t)(LANES - 1);
}

static inline lanes *lanes_of(uint32_t *clock, uint32_t i)
{
    return (lanes *)(void *)&clock[i];
}

static void hide_segments(struct hd_clocks *c)
{
    for (uint32_t i = 0; i < HD_CLOCKS_MANY; i++) {
        c->many[i] = c->now[i];
        c->now[i] = 0;
    }
}

static __attribute__((cold, noinline)) void start_threads(struct hd_clocks *c, hd_tid tid)
{
    for (; c->nthreads <= tid; c->nthreads++) {
        uint32_t t = c->nthreads;

        if (t >= c->columns) {
            c->columns = t + 1;
            for (uint32_t i = 0; i < t; i++)
                c->time[i][t] = c->first - 1;
        }
        for (uint32_t i = 0; i < c->columns; i++)
            c->time[t][i] = c->first - 1;
        c->fence_released[t] = c->fence_acquires[t] = 0;
        c->fence_open[t] = false;
        c->many[t] = 0;
        if (t + 1 == HD_CLOCKS_MANY)
            hide_segments(c);
    }
}

/* Starts the clock of a thread.  A thread whose creation was not observed existed before the execution began. */
static inline void start_thread(struct hd_clocks *c, hd_tid tid)
{
    if (HD_UNLIKELY(tid >= c->nthreads))
        start_threads(c, tid);
}

static void begin_again(struct hd_clocks *c)
{
    c->next = 1;
    c->stamp = 0;
    for (uint32_t i = 0; i < c->nsync; i++)
        c->sync[i].stamp = 0;
}

bool hd_clocks_begin(struct hd_clocks *c)
{
    bool again = c->next > UINT32_MAX - 2 * HD_CLOCKS_SEGMENTS || c->stamp == UINT32_MAX;

    if (again)
        begin_again(c);
    c->first = c->next;
    c->stamp++;
    for (; c->nthreads > 0; c->nthreads--)
        c->now[c->nthreads - 1] = 0;
    c->nwords = 1; /* offset 0 means no clock */
    c->full = c->relied = false;
    start_thread(c, 0);
    return again;
}

hd_segment hd_clocks_new_segment(struct hd_clocks *c, hd_tid tid)
{
    start_thread(c, tid);
    bool many = HD_UNLIKELY(c->nthreads >= HD_CLOCKS_MANY);

    if (many && c->many[tid] != 0)
        return c->many[tid];
    if (c->next - c->first == HD_CLOCKS_SEGMENTS) {
        c->full = true;
        return 0;
    }
    c->position[c->next - c->first] = hd_clocks_events(c);
    c->owner[c->next - c->first] = tid;
    *(many ? &c->many[tid] : &c->now[tid]) = c->time[tid][tid] = c->next;
    return c->next++;
}

/* Begins a new segment, because other threads may have acquired what the thread has done so far. */
static inline void new_segment(struct hd_clocks *c, hd_tid tid)
{
    c->now[tid] = 0;
    if (HD_UNLIKELY(c->nthreads >= HD_CLOCKS_MANY))
        c->many[tid] = 0;
}

void hd_clocks_cut(struct hd_clocks *c, hd_tid tid)
{
    start_thread(c, tid);
    new_segment(c, tid);
}

/* Joins clock `from` to clock `into`.  Both may be the same: membarrier joins a clock with itself.  The loop
 * has the form in which compilers recognise a maximum, for which there is an instruction. */
static inline void join(uint32_t *into, uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += LANES) {
        lanes a = *lanes_of(into, i), b = *lanes_of(from, i);

        for (unsigned k = 0; k < LANES; k++)
            a[k] = b[k] > a[k] ? b[k] : a[k];
        *lanes_of(into, i) = a;
    }
}

static inline void copy(uint32_t *to, uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += LANES)
        *lanes_of(to, i) = *lanes_of(from, i);
}

/* Joins a stored clock to that of the thread.  A stored clock of HD_MAX_THREADS words would be mostly zeros.
 * So its first word is the number of words that follow, a multiple of LANES. */
static inline void acquire(struct hd_clocks *c, hd_tid tid, uint32_t clock)
{
    HD_CHECK(clock == 0 || tid >= c->word[clock] || c->word[clock + 1 + tid] <= c->time[tid][tid],
             "clocks: no thread knows more of a thread than that thread itself");
    if (clock != 0)
        join(c->time[tid], &c->word[clock + 1], c->word[clock]);
}

/* Returns the offset of room for one more clock, which is not yet set, or 0. */
static inline uint32_t new_clock(struct hd_clocks *c)
{
    uint32_t at = c->nwords, n = whole_lanes(c->nthreads);

    if (HD_UNLIKELY(HD_CLOCKS_WORDS - c->nwords < n + 1)) {
        c->full = true;
        return 0;
    }
    c->nwords += n + 1;
    c->word[at] = n;
    return at;
}

/* Makes the clock at *at large enough.  If threads were created since it was stored, *at becomes a larger copy. */
static bool make_room(struct hd_clocks *c, uint32_t *at)
{
    uint32_t old = *at;

    if (old != 0 && c->word[old] >= c->nthreads)
        return true;
    uint32_t new = new_clock(c);

    if (new == 0)
        return false;
    for (uint32_t i = 0; i < c->word[new]; i++)
        c->word[new + 1 + i] = old != 0 && i < c->word[old] ? c->word[old + 1 + i] : 0;
    *at = new;
    return true;
}

/* Replaces the clock at *at by that of the thread. */
static inline void release_over(struct hd_clocks *c, hd_tid tid, uint32_t *at)
{
    uint32_t clock = *at;

    if (clock == 0 || c->word[clock] < c->nthreads)
        *at = clock = new_clock(c);
    if (HD_LIKELY(clock != 0))
        copy(&c->word[clock + 1], c->time[tid], c->nthreads);
    new_segment(c, tid);
}

/* Joins the thread's clock to the clock at *at. */
static void release_into(struct hd_clocks *c, hd_tid tid, uint32_t *at)
{
    if (*at == 0) {
        release_over(c, tid, at);
        return;
    }
    if (make_room(c, at))
        join(&c->word[*at + 1], c->time[tid], c->nthreads);
    new_segment(c, tid);
}

static inline struct hd_sync *sync_of(struct hd_clocks *c, uint32_t obj)
{
    struct hd_sync *s = &c->sync[obj < c->nsync ? obj : 0];

    if (obj >= c->nsync)
        c->full = true;
    if (s->stamp != c->stamp)
        *s = (struct hd_sync){ .stamp = c->stamp };
    return s;
}

/* ---- atomics -------------------------------------------------------------------- */

static bool acquires(unsigned order)
{
    return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order >= ORDER_ACQ_REL;
}

static bool releases(unsigned order)
{
    return order >= ORDER_RELEASE;
}

/* A list entry for the release sequence of one thread on one location: the next entry, the thread, its clock,
 * and OPEN.  OPEN is set if the sequence exists only because a relaxed store of the same thread continues it. */
enum { HEAD_NEXT, HEAD_TID, HEAD_CLOCK, HEAD_OPEN, HEAD_WORDS };

static uint32_t new_head(struct hd_clocks *c, struct hd_sync *s, hd_tid tid)
{
    uint32_t at = c->nwords;

    if (HD_CLOCKS_WORDS - at < HEAD_WORDS) {
        c->full = true;
        return 0;
    }
    c->nwords += HEAD_WORDS;
    c->word[at + HEAD_NEXT] = s->heads;
    c->word[at + HEAD_TID] = tid;
    c->word[at + HEAD_CLOCK] = c->word[at + HEAD_OPEN] = 0;
    return s->heads = at;
}

static uint32_t find_head(const struct hd_clocks *c, const struct hd_sync *s, hd_tid tid)
{
    uint32_t at = s->heads;

    while (at != 0 && c->word[at + HEAD_TID] != tid)
        at = c->word[at + HEAD_NEXT];
    return at;
}

static void learn_later(struct hd_clocks *c, hd_tid tid, uint32_t clock)
{
    if (make_room(c, &c->fence_acquires[tid]))
        join(&c->word[c->fence_acquires[tid] + 1], &c->word[clock + 1], c->word[clock]);
}

/* Records that the thread acquires something only because a relaxed store continued a release sequence.  Since
 * C++20 such a store ends it. */
static __attribute__((cold, noinline)) void rely(struct hd_clocks *c, hd_tid tid, uint32_t clock, uint64_t pc)
{
    for (uint32_t i = 0; clock != 0 && !c->relied && i < c->word[clock]; i++)
        if (c->word[clock + 1 + i] > c->time[tid][i]) {
            c->relied = true;
            c->relied_pc = pc;
        }
}

static inline void load(struct hd_clocks *c, hd_tid tid, const struct hd_sync *s, unsigned order, uint64_t pc)
{
    for (uint32_t at = s->heads; at != 0; at = c->word[at + HEAD_NEXT]) {
        bool open = c->word[at + HEAD_OPEN];

        if (acquires(order)) {
            if (HD_UNLIKELY(open))
                rely(c, tid, c->word[at + HEAD_CLOCK], pc);
            acquire(c, tid, c->word[at + HEAD_CLOCK]);
        } else {
            c->fence_open[tid] |= open;
            learn_later(c, tid, c->word[at + HEAD_CLOCK]);
        }
    }
}

/* For a store that is not a release: returns what remains of the release sequence of its own thread. */
static inline uint32_t go_on(struct hd_clocks *c, uint32_t own)
{
    if (own == 0 || c->rule == HD_RELEASE_ENDED)
        return 0;
    c->word[own + HEAD_OPEN] = c->rule == HD_RELEASE_OPEN;
    return own;
}

/* A store ends the release sequences of all other threads; a read-modify-write continues all of them.  Either
 * one begins a sequence if it is a release, or if a release fence came before it. */
static inline void store(struct hd_clocks *c, hd_tid tid, struct hd_sync *s, unsigned order, bool rmw)
{
    uint32_t fence = c->fence_released[tid];
    uint32_t own = find_head(c, s, tid);

    if (!rmw) {
        if (!releases(order))
            own = go_on(c, own);
        s->heads = own;
        if (own != 0)
            c->word[own + HEAD_NEXT] = 0;
    }
    if (!releases(order) && fence == 0)
        return;
    if (own == 0)
        own = new_head(c, s, tid);
    if (own == 0)
        return;
    if (releases(order)) {
        c->word[own + HEAD_OPEN] = 0; /* the thread's own clock includes everything that it has released before */
        release_into(c, tid, &c->word[own + HEAD_CLOCK]);
    } else if (make_room(c, &c->word[own + HEAD_CLOCK]))
        join(&c->word[c->word[own + HEAD_CLOCK] + 1], &c->word[fence + 1], c->word[fence]);
}

static __attribute__((noinline)) void atomic(struct hd_clocks *c, const struct hd_event *e)
{
    bool failed = e->flags & HD_EVF_FAILED;

    if (HD_UNLIKELY(c->full || (failed && e->kind != HD_EV_ATOMIC_CAS)))
        return;
    start_thread(c, e->tid);
    struct hd_sync *s = sync_of(c, e->obj);

    if (e->kind != HD_EV_ATOMIC_STORE)
        load(c, e->tid, s, e->aux, e->pc);
    if (e->kind != HD_EV_ATOMIC_LOAD && !failed && acquires(e->aux))
        acquire(c, e->tid, s->readers);
    if (e->kind != HD_EV_ATOMIC_LOAD && !failed)
        store(c, e->tid, s, e->aux, e->kind != HD_EV_ATOMIC_STORE);
}

/* ---- undoing an atomic operation ---- */

/* Saves the clock at offset `at`; does nothing if that is 0. */
static void save_clock(const struct hd_clocks *c, uint32_t at, uint32_t *to)
{
    for (uint32_t i = 0; at != 0 && i < c->word[at]; i++)
        to[i] = c->word[at + 1 + i];
}

static void restore_clock(struct hd_clocks *c, uint32_t at, const uint32_t *from)
{
    for (uint32_t i = 0; at != 0 && i < c->word[at]; i++)
        c->word[at + 1 + i] = from[i];
}

void hd_clocks_save(struct hd_clocks *c, hd_tid tid, uint32_t obj, struct hd_clocks_saved *s)
{
    start_thread(c, tid);
    s->tid = tid;
    s->obj = obj;
    s->full = c->full;
    s->relied = c->relied;
    s->relied_pc = c->relied_pc;
    s->nwords = c->nwords;
    s->sync = *sync_of(c, obj);
    s->fence_open = c->fence_open[tid];
    s->fence_acquires = c->fence_acquires[tid];
    s->own = find_head(c, &s->sync, tid);
    s->own_clock = s->own != 0 ? c->word[s->own + HEAD_CLOCK] : 0;
    s->own_open = s->own != 0 ? c->word[s->own + HEAD_OPEN] : 0;
    for (uint32_t i = 0; i < c->columns; i++)
        s->time[i] = c->time[tid][i];
    save_clock(c, s->fence_acquires, s->fence);
    save_clock(c, s->own_clock, s->released);
}

/* The thread keeps its own segment number, because the operation was recorded as an access in that segment. */
void hd_clocks_restore(struct hd_clocks *c, const struct hd_clocks_saved *s)
{
    c->full = s->full;
    c->relied = s->relied;
    c->relied_pc = s->relied_pc;
    c->nwords = s->nwords;
    new_segment(c, s->tid);
    *sync_of(c, s->obj) = s->sync;
    c->fence_open[s->tid] = s->fence_open;
    c->fence_acquires[s->tid] = s->fence_acquires;
    if (s->own != 0) {
        c->word[s->own + HEAD_CLOCK] = s->own_clock;
        c->word[s->own + HEAD_OPEN] = s->own_open;
    }
    for (uint32_t i = 0; i < c->columns; i++)
        if (i != s->tid)
            c->time[s->tid][i] = s->time[i];
    restore_clock(c, s->fence_acquires, s->fence);
    restore_clock(c, s->own_clock, s->released);
}

/* Fast path: if no thread has released anything here, there is nothing to acquire. */
void hd_clocks_atomic(struct hd_clocks *c, const struct hd_event *e)
{
    const struct hd_sync *s = &c->sync[e->obj < c->nsync ? e->obj : 0];
    bool released = e->obj >= c->nsync || (s->stamp == c->stamp && (s->heads | s->readers) != 0);
    bool tells = e->kind != HD_EV_ATOMIC_LOAD && (releases(e->aux) || c->fence_released[e->tid] != 0);

    if (released || tells || e->tid >= c->nthreads)
        atomic(c, e);
}

void hd_clocks_tx_enter(struct hd_clocks *c, hd_tid tid, uint32_t obj, bool write)
{
    start_thread(c, tid);
    struct hd_sync *s = sync_of(c, obj);

    load(c, tid, s, ORDER_SEQ_CST, 0);
    if (write)
        acquire(c, tid, s->readers);
}

void hd_clocks_tx_leave(struct hd_clocks *c, hd_tid tid, uint32_t obj, bool write)
{
    struct hd_sync *s = sync_of(c, obj);

    if (c->full)
        return;
    if (write)
        store(c, tid, s, ORDER_SEQ_CST, true);
    else
        release_into(c, tid, &s->readers);
}

void hd_clocks_read(struct hd_clocks *c, hd_tid tid, uint32_t obj, unsigned order)
{
    load(c, tid, sync_of(c, obj), order, 0);
}

/* Handles membarrier: everything before it in any thread happens before what its caller does next, and
 * everything before it in its caller happens before what any thread does next.  The standard has no such
 * operation; treating it as a barrier of all threads causes no false reports. */
static void everybody(struct hd_clocks *c, hd_tid tid)
{
    for (uint32_t t = 0; t < c->nthreads; t++)
        join(c->time[tid], c->time[t], c->nthreads);
    for (uint32_t t = 0; t < c->nthreads; t++)
        join(c->time[t], c->time[tid], c->nthreads);
    for (uint32_t t = 0; t < c->nthreads; t++) /* a second loop: all threads must acquire the old clocks first */
        new_segment(c, (hd_tid)t);
}

static void fence(struct hd_clocks *c, const struct hd_event *e)
{
    unsigned order = (unsigned)e->value;

    if (order == HD_FENCE_EVERYBODY) {
        everybody(c, e->tid);
        return;
    }

    if (acquires(order)) {
        if (HD_UNLIKELY(c->fence_open[e->tid]))
            rely(c, e->tid, c->fence_acquires[e->tid], e->pc);
        acquire(c, e->tid, c->fence_acquires[e->tid]);
    }
    if (releases(order)) {
        c->fence_released[e->tid] = 0;
        release_into(c, e->tid, &c->fence_released[e->tid]);
    }
}

/* ---- other kinds of events ------------------------------------------------------- */

static void created(struct hd_clocks *c, const struct hd_event *e)
{
    if (e->value >= HD_MAX_THREADS)
        return;
    hd_tid child = (hd_tid)e->value;

    start_thread(c, child);
    join(c->time[child], c->time[e->tid], c->nthreads);
    new_segment(c, e->tid);
}

/* Handles the creation of the thread with the next number, if a thread with that number has existed in an
 * earlier execution.  The child's clock is a copy of its parent's: every thread knows at least as much as one
 * whose creation was not observed. */
static inline void created_next(struct hd_clocks *c, hd_tid child, hd_tid parent)
{
    copy(c->time[child], c->time[parent], c->columns);
    c->fence_released[child] = c->fence_acquires[child] = 0;
    c->fence_open[child] = false;
    c->nthreads++;
    new_segment(c, parent);
}

static void give_and_take(struct hd_clocks *c, const struct hd_event *e)
{
    struct hd_sync *s = sync_of(c, e->obj);

    if (e->obj == 0)
        return;
    acquire(c, e->tid, s->released);
    release_into(c, e->tid, &s->released);
}

/* Orders an operation on one channel. `released` holds the clocks of the writers, `readers` those of the
 * threads that made room in the channel. */
static void by_channel(struct hd_clocks *c, hd_tid tid, uint32_t channel, unsigned told)
{
    struct hd_sync *s = sync_of(c, channel);

    if (told & HD_FLOW_LEARNS)
        acquire(c, tid, s->released);
    if (told & HD_FLOW_LEARNS_ROOM)
        acquire(c, tid, s->readers);
    if (told & HD_FLOW_TELLS)
        release_into(c, tid, &s->released);
    if (told & HD_FLOW_TELLS_ROOM)
        release_into(c, tid, &s->readers);
}

/* Besides the objects of the channels, one object stands for all channels and orders like a reader-writer lock.
 * An operation on an unknown channel is like a writer: it is ordered with all other operations.  An operation
 * on a known channel is like a reader: this object does not order two of them. */
static void told(struct hd_clocks *c, const struct hd_event *e)
{
    struct hd_sync *all = sync_of(c, e->obj);

    if (e->kind == HD_EV_CHANNEL) {
        by_channel(c, e->tid, e->obj, e->aux);
    } else if (e->aux & HD_FLOW_ALL) {
        acquire(c, e->tid, all->released);
        acquire(c, e->tid, all->readers);
        release_into(c, e->tid, &all->released);
    } else if (e->aux != 0) {
        if (e->aux & (HD_FLOW_LEARNS | HD_FLOW_LEARNS_ROOM))
            acquire(c, e->tid, all->released);
        by_channel(c, e->tid, e->obj2, e->aux);
        release_into(c, e->tid, &all->readers);
    }
}

static void write_lock(struct hd_clocks *c, const struct hd_event *e)
{
    const struct hd_sync *s = sync_of(c, e->obj);

    acquire(c, e->tid, s->released);
    acquire(c, e->tid, s->readers);
}

static void write_unlock(struct hd_clocks *c, const struct hd_event *e)
{
    struct hd_sync *s = sync_of(c, e->obj);

    release_over(c, e->tid, &s->released); /* the writer's clock includes all earlier ones */
    s->readers = 0;
}

static __attribute__((noinline)) void seldom(struct hd_clocks *c, const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    enum hd_hb hb = (enum hd_hb)(e->flags & HD_EVF_FAILED ? k->hb_fail : k->hb);

    if (hb == HD_HB_NONE || c->full)
        return;
    start_thread(c, e->tid);
    switch (hb) {
    case HD_HB_TAKE:
        acquire(c, e->tid, sync_of(c, e->obj)->released);
        break;
    case HD_HB_UNLOCK:
        release_over(c, e->tid, &sync_of(c, e->obj)->released);
        break;
    case HD_HB_GIVE:
        release_into(c, e->tid, &sync_of(c, e->obj)->released);
        break;
    case HD_HB_BOTH:
        give_and_take(c, e);
        break;
    case HD_HB_READ_UNLOCK:
        release_into(c, e->tid, &sync_of(c, e->obj)->readers);
        break;
    case HD_HB_WRITE_LOCK:
        write_lock(c, e);
        break;
    case HD_HB_WRITE_UNLOCK:
        write_unlock(c, e);
        break;
    case HD_HB_ATOMIC:
        atomic(c, e);
        break;
    case HD_HB_FENCE:
        fence(c, e);
        break;
    case HD_HB_CREATE:
        created(c, e);
        break;
    case HD_HB_FLOW:
        told(c, e);
        break;
    case HD_HB_NONE:
        break;
    }
}

/* Locks, unlocks and posts are the most frequent events, with short-lived threads also their creation and end.
 * The code is arranged so that none of these needs a stack frame. */
void hd_clocks_event(struct hd_clocks *c, const struct hd_event *e)
{
    unsigned hb = hd_kind_hb[e->kind];

    if (HD_UNLIKELY(e->obj >= c->nsync || e->tid >= c->nthreads || e->flags & HD_EVF_FAILED ||
                    c->full)) {
        seldom(c, e);
        return;
    }
    struct hd_sync *s = &c->sync[e->obj];
    uint32_t released = s->stamp == c->stamp ? s->released : 0;

    if (hb == HD_HB_TAKE) {
        acquire(c, e->tid, released);
    } else if (hb == HD_HB_UNLOCK || (hb == HD_HB_GIVE && released == 0)) {
        if (s->stamp != c->stamp)
            *s = (struct hd_sync){ .stamp = c->stamp };
        release_over(c, e->tid, &s->released);
    } else if (hb == HD_HB_GIVE && c->word[released] >= c->nthreads) {
        join(&c->word[released + 1], c->time[e->tid], c->nthreads);
        new_segment(c, e->tid);
    } else if (hb == HD_HB_CREATE && e->value == c->nthreads && e->value < c->columns) {
        created_next(c, (hd_tid)e->value, e->tid);
    } else {
        seldom(c, e);
    }
}
