/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gate.c - the one place where a logical thread waits for its turn.
 *
 * G1  Exactly one fiber runs; every other live thread stands at the gate (or
 *     before its start) with a pending operation.
 * G2  At a decision, a thread's bit in hd.point.enabled is set iff its pending
 *     operation can take effect now and nothing holds the thread back (parked,
 *     loop bound, exit grace).  hd_gate_reevaluate says so; object_changed and
 *     wait_for_turn have short forms of it for mutexes and polls, and verdict.c gives leave
 *     when nobody else can run.  Between hd_done and its next operation the running
 *     thread has none pending: its bit then means nothing.
 * G3  An object's watchers are exactly the threads whose pending operation names
 *     it and is conditional; whoever changes the object's state reevaluates them
 *     (hd_done). */
#include "model/automaton.h"
#include "runtime/gate.h"

#include "runtime/checks.h"
#include "runtime/cycle.h"
#include "runtime/deadlock.h"
#include "runtime/fiber.h"
#include "runtime/io_wait.h"
#include "runtime/limit.h"
#include "runtime/mutex.h"
#include "runtime/object.h"
#include "runtime/points.h"
#include "runtime/poll.h"
#include "runtime/signals.h"
#include "runtime/thread.h"
#include "runtime/timers.h"
#include "runtime/verdict.h"
#include "runtime/worker.h"

/* Part of every visible operation: call and return would cost as much again. */
#define HD_HOT inline __attribute__((always_inline))

static uint32_t sigs[HD_MAX_THREADS]; /* of the pending operations, by tid */

/* What replay compares: the kind and the canonical object, not addresses. */
static inline uint32_t signature(const struct hd_obj *o, enum hd_kind kind)
{
    return (o != NULL ? o->sig : 0) + (uint32_t)kind * 0x9e3779b1u;
}

static uint32_t stood[HD_MAX_THREADS]; /* each thread's part of hd.point.stands */

static inline uint32_t standing(unsigned tid, uint32_t sig, uint64_t pc)
{
    uint32_t h = sig + (uint32_t)pc;

    return (h ^ h >> 15) * (2 * tid + 1);
}

/* The thread stands before another operation.  Where nothing is compared with an execution
 * before, nobody asks what all of them stand before. */
static inline void stand(unsigned tid, uint32_t sig, uint64_t pc)
{
    sigs[tid] = sig;
    if (!hd.search.compares)
        return;
    uint32_t now = standing(tid, sig, pc);

    hd.point.stands += now - stood[tid];
    stood[tid] = now;
}

/* ---- enabledness -------------------------------------------------------------- */

static bool has_token(const struct hd_thread *t)
{
    const struct hd_obj *q = t->waits;

    return q->ntokens > 0 && q->tokens[q->ntokens - 1] > t->stamp;
}

bool hd_gate_is_woken(const struct hd_thread *t)
{
    return has_token(t) || (t->waits->type == HD_OBJ_COND && hd_thread_is_cancelled(t));
}

static bool is_free(const struct hd_obj *mutex)
{
    return mutex == NULL || mutex->owner == HD_NO_TID;
}

/* A waiter's next step depends on the tokens: wake-up (with relocking), or
 * time-out.  The event's objects are those of the table of kinds: the tokens of
 * a queue are the row after it. */
static bool waiter_enabled(struct hd_thread *t, struct hd_event *e)
{
    bool cond = t->waits->type == HD_OBJ_COND;
    bool woken = hd_gate_is_woken(t);

    e->obj = t->waits->id;
    e->obj2 = t->waits->id + 1;
    if (woken || !t->timed) {
        e->kind = cond ? HD_EV_COND_WAKE : HD_EV_FUTEX_WAKEUP;
        if (t->obj2 != NULL)
            e->obj = t->obj2->id;
    } else {
        e->kind = cond ? HD_EV_COND_TIMEOUT : HD_EV_FUTEX_TIMEOUT;
    }
    e->aux = t->timed ? HD_AUX_TIMED : 0;
    stand(t->tid, signature(t->waits, (enum hd_kind)e->kind), e->pc);
    bool idle = hd.cfg->timeouts_idle && t->timed == HD_TIMED;

    hd_set_put(&hd.idle, t->tid, !woken && idle);
    if (woken)
        return is_free(t->obj2);
    return t->timed && !idle && !t->parked && !t->loop_wait;
}

/* A timed attempt runs at any time and times out when it cannot succeed; with
 * --timeouts=idle only when nothing else can run. */
static bool timed_enabled(const struct hd_thread *t, bool can_succeed)
{
    hd_set_put(&hd.idle, t->tid, hd.cfg->timeouts_idle && !can_succeed);
    return can_succeed || !hd.cfg->timeouts_idle;
}

static bool timer_enabled(const struct hd_thread *t)
{
    bool idle, now = hd_timer_can_go_on(t, &idle);

    hd_set_put(&hd.idle, t->tid, idle);
    return now;
}

static inline bool can_lock(const struct hd_obj *mutex)
{
    return mutex->owner == HD_NO_TID || (mutex->flags & HD_OF_NOTRECOVERABLE);
}

static bool is_enabled(struct hd_thread *t)
{
    struct hd_event *e = &hd.exec->pending[t->tid];
    const struct hd_obj *o = t->obj;

    if (t->waits != NULL)
        return waiter_enabled(t, e);
    if (e->kind == HD_EV_MUTEX_LOCK) /* by far the most frequent */
        return can_lock(o);
    switch (e->kind) {
    case HD_EV_SPIN_LOCK:
        return o->owner == HD_NO_TID;
    case HD_EV_RWLOCK_RDLOCK:
        return o->owner == HD_NO_TID && o->nwaiters == 0;
    case HD_EV_RWLOCK_WRLOCK:
        return o->owner == HD_NO_TID && o->count == 0;
    case HD_EV_SEM_WAIT:
        return o->count > 0 || (o->flags & HD_OF_DESTROYED) || hd_thread_is_cancelled(t);
    case HD_EV_BARRIER_LEAVE:
        return o->round != t->round;
    case HD_EV_BARRIER_DESTROY:
        return o->nwaiters == 0;
    case HD_EV_ONCE_BEGIN:
        return o->owner == HD_NO_TID || (o->flags & HD_OF_DONE);
    case HD_EV_THREAD_JOIN:
        return hd.exec->threads[e->peer].state == HD_TH_FINISHED || hd.thread[e->peer].detached ||
               hd_thread_is_cancelled(t);
    case HD_EV_MUTEX_TIMEDLOCK:
        return timed_enabled(t, o->owner == HD_NO_TID);
    case HD_EV_RWLOCK_TIMEDRD:
        return timed_enabled(t, o->owner == HD_NO_TID && o->nwaiters == 0);
    case HD_EV_RWLOCK_TIMEDWR:
        return timed_enabled(t, o->owner == HD_NO_TID && o->count == 0);
    case HD_EV_SEM_TIMEDWAIT:
        return timed_enabled(t, o->count > 0 || hd_thread_is_cancelled(t));
    case HD_EV_IO_WAIT:
        return hd_io_can_go_on(t);
    case HD_EV_IO_TIMED:
        return timed_enabled(t, hd_io_can_go_on(t));
    case HD_EV_TIMER_EXPIRE:
        return timer_enabled(t);
    case HD_EV_EXIT_BEGIN:
        return !hd.exit_begun;
    case HD_EV_EXIT_END: /* chosen by verdict.c when nobody else can run */
        return false;
    default:
        return true;
    }
}

/* A thread that polls by timed waits is held back in the wait, from timing out again, not
 * before it: a signal must find it there. */
static HD_COLD bool is_held_back(const struct hd_thread *t)
{
    unsigned kind = hd.exec->pending[t->tid].kind;
    bool waits = t->waits != NULL || kind == HD_EV_COND_WAIT;

    return (!waits && kind != HD_EV_SIGNAL && (t->parked || t->loop_wait)) || t->grace > hd.cfg->exit_grace;
}

void hd_gate_reevaluate(struct hd_thread *t)
{
    bool enabled = is_enabled(t);

    if (HD_UNLIKELY(t->parked | t->loop_wait | hd.exit_begun) && is_held_back(t))
        enabled = false;
    hd_set_put(&hd.point.enabled, t->tid, enabled);
}

__attribute__((noinline)) void hd_gate_reevaluate_object(struct hd_obj *o)
{
    unsigned words = o->nwatchers != 0 ? (hd.point.nthreads + 63) / 64 : 0;

    for (unsigned i = 0; i < words; i++)
        for (uint64_t w = o->watchers.w[i]; w != 0; w &= w - 1)
            hd_gate_reevaluate(&hd.thread[i * 64 + (unsigned)__builtin_ctzll(w)]);
}

/* Operations whose enabledness depends on the state of their objects. */
#define CONDITIONAL (HD_TRAIT_BLOCKS | HD_TRAIT_TIMED)

static inline void watch(struct hd_obj *o, unsigned tid, enum hd_kind kind)
{
    hd_set_add(&o->watchers, tid);
    o->nwatchers++;
    o->nlockers += kind == HD_EV_MUTEX_LOCK;
}

static inline void unwatch(struct hd_obj *o, unsigned tid, enum hd_kind kind)
{
    hd_set_remove(&o->watchers, tid);
    o->nwatchers--;
    o->nlockers -= kind == HD_EV_MUTEX_LOCK;
}

/* o has changed.  Threads that wait to lock a mutex are (dis)abled all at once, and
 * without a branch on whether there are any: nobody could predict it.  (Only the
 * exit grace holds a locker back.) */
static inline void object_changed(struct hd_obj *o)
{
    uint64_t *enabled = &hd.point.enabled.w[0];

    if (HD_LIKELY(o->nlockers == o->nwatchers && hd.point.nthreads <= 64 && !hd.exit_begun))
        *enabled = (*enabled & ~o->watchers.w[0]) | (o->watchers.w[0] & -(uint64_t)can_lock(o));
    else
        hd_gate_reevaluate_object(o);
}

/* ---- events --------------------------------------------------------------------- */

static inline void append(const struct hd_event *e, const struct hd_obj *o)
{
    struct hd_execution *x = hd.exec;
    const uint64_t *from = (const uint64_t *)(const void *)e;
    uint64_t *to = (uint64_t *)(void *)&x->events[x->nevents++];

    x->trace_hash = hd_hash_mix(x->trace_hash ^ (o != NULL ? o->sig : 0), from[0] ^ from[3] << 17);
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
}

static inline void record(const struct hd_event *e, const struct hd_obj *o)
{
    append(e, o);
    if (hd.races && hd_clocks_effect[e->kind] != HD_EFFECT_NONE)
        hd_race_event(e, o != NULL ? o->addr : 0);
}

void hd_gate_record(const struct hd_event *e, const struct hd_obj *o)
{
    record(e, o);
}

void hd_gate_special(void)
{
    uint32_t quiet = HD_MODE_QUIET & ~HD_MODE_POINTS; /* see hd_points_used */

    hd.special = hd.nloop_wait != 0 || (hd.access_mode & ~quiet) != 0 || hd.exit_begun;
}

/* The rest of done where there are two objects or anything out of the ordinary goes on. */
static __attribute__((noinline)) void done_special(struct hd_thread *t, struct hd_event *e,
                                                   struct hd_obj *o, struct hd_obj *o2, bool poll)
{
    if (o != NULL)
        object_changed(o);
    if (o2 != NULL) {
        if (hd_kind_traits[e->kind] & CONDITIONAL)
            unwatch(o2, t->tid, (enum hd_kind)e->kind);
        object_changed(o2);
    }
    if (hd.exit_begun)
        hd_verdict_count_grace(t);
    if (hd.special)
        hd_poll_event(t, e, o, poll);
    if (hd.access_mode & HD_MODE_POINTS)
        hd_points_used(o, e);
    e->kind = HD_EV_NONE;
}

/* What is left to do for t when its operation e has been recorded.  Where the kind is a
 * constant, most of this is nothing. */
static HD_HOT void settle(struct hd_thread *t, struct hd_event *e, struct hd_obj *o, struct hd_obj *o2,
                          enum hd_kind kind, unsigned traits)
{
    bool poll = hd_event_polls(e, traits);

    hd.fuel = HD_FUEL;
    t->progress += !poll;
    hd.progress += !poll;
    t->just_yielded = (traits & HD_TRAIT_YIELDS) != 0;
    t->at_visit = 0;
    t->obj = t->obj2 = NULL;
    if (HD_UNLIKELY(traits & HD_TRAIT_TIMED))
        hd_set_remove(&hd.idle, t->tid);
    if (o != NULL && traits & CONDITIONAL)
        unwatch(o, t->tid, kind);
    if (HD_UNLIKELY(o2 != NULL || hd.special)) {
        done_special(t, e, o, o2, poll);
        return;
    }
    e->kind = HD_EV_NONE;
    if (o != NULL)
        object_changed(o);
}

/* The pending operation of t has taken effect. */
static HD_HOT void done(struct hd_thread *t, uint64_t value, unsigned flags)
{
    struct hd_event *e = &hd.exec->pending[t->tid];

    __asm__("" : "+r"(e)); /* or it is computed anew for each use */
    e->value = value;
    if (flags != 0)
        hd_event_add_flags(e, flags);
    record(e, t->obj);
    /* Only now, so that less has to be kept while the detectors look at it. */
    enum hd_kind kind = (enum hd_kind)e->kind;

    settle(t, e, t->obj, t->obj2, kind, hd_kind_traits[kind]);
}

void hd_done(uint64_t value, unsigned flags)
{
    done(hd.cur, value, flags);
}

/* ---- the decision ------------------------------------------------------------------ */

/* G2: when nobody was enabled, only the chosen one was given leave to run. */
static HD_COLD void end_idling(hd_tid chosen)
{
    HD_SET_EACH(tid, &hd.idle)
        hd_set_put(&hd.point.enabled, tid, tid == chosen);
}

static HD_COLD bool is_nobody_enabled(void)
{
    return hd_set_is_empty(&hd.point.enabled);
}

/* Choose who runs next; cur is the thread that ran last. */
static HD_HOT struct hd_thread *decide(struct hd_thread *cur)
{
    struct hd_point *p = &hd.point;
    struct hd_execution *x = hd.exec;

    bool idle = false;
    unsigned last = cur->tid;

    if (HD_UNLIKELY(x->nsteps >= hd.next_look))
        hd_limit_look();
    if (HD_UNLIKELY(p->enabled.w[0] == 0) && is_nobody_enabled()) {
        idle = true;
        hd_verdict_nobody_enabled();
    }

    p->step = x->nsteps;
    p->last = (hd_tid)last;
    bool enabled = hd_set_has(&p->enabled, last);

    __asm__("" : "+r"(enabled)); /* or gcc makes a byte of it in memory, by reading it back */
    p->last_enabled = enabled;
    p->last_yielded = cur->just_yielded;
    hd_tid next = HD_LIKELY(!hd.unfair) ? hd_search_pick(&hd.search, p) : hd_cycle_pick(p);

    if (HD_UNLIKELY(next == HD_NO_TID))
        hd_verdict_stopped();
    if (hd_point_preempts(p, next)) {
        x->preemptions++;
        hd_event_add_flags(&x->pending[next], HD_EVF_PREEMPTED);
    }
    if (HD_UNLIKELY(idle)) {
        end_idling(next);
        p->last_resort = false;
    }
    return &hd.thread[next];
}

/* A new thread's start takes effect on the stack of the thread before it: its own
 * is to be untouched when its function begins. */
static __attribute__((noinline)) void start_thread(struct hd_thread *t)
{
    done(t, 0, 0);
}

static HD_HOT void switch_to(struct hd_thread *from, struct hd_thread *to)
{
    if (hd.exec->pending[to->tid].kind == HD_EV_THREAD_START)
        start_thread(to);
    hd_fiber_switch(from, to);
}

static HD_HOT void pass_gate(struct hd_thread *t)
{
    struct hd_thread *next = decide(t);

    if (next != t)
        switch_to(t, next);
}

static HD_HOT void announce(struct hd_thread *t, enum hd_kind kind, unsigned traits, struct hd_obj *o,
                            struct hd_obj *o2, hd_tid peer, uint64_t pc)
{
    bool conditional = traits & CONDITIONAL;
    unsigned tid = t->tid;
    uint64_t objects = 0;

    t->obj = o;
    t->obj2 = o2;
    stand(tid, signature(o, kind), pc);
    if (o != NULL) {
        objects = o->id;
        if (conditional)
            watch(o, tid, kind);
        if (o2 == NULL && (o->type == HD_OBJ_COND || o->type == HD_OBJ_FUTEX))
            objects |= (uint64_t)(o->id + 1) << 32; /* its tokens */
    }
    if (HD_UNLIKELY(o2 != NULL)) {
        objects |= (uint64_t)o2->id << 32;
        if (conditional)
            watch(o2, tid, kind);
    }
    hd_event_set(&hd.exec->pending[tid], hd_event_head((hd_tid)tid, kind, peer), objects, pc);
}

static HD_COLD void return_to_parent(struct hd_thread *t)
{
    hd.eager = 0;
    hd_fiber_switch(t, hd.eager_parent);
}

/* Inside an atomic section nobody else has a turn.  False: it would have to wait, so it
 * is one no longer. */
static HD_COLD bool stays_in_section(struct hd_thread *t)
{
    hd_gate_make_room();
    if (hd_set_has(&hd.point.enabled, t->tid))
        return true;
    hd_misuse(hd_pending()->pc,
              "T%u has to wait (%s) inside an atomic section (heddle_atomic_begin)", t->tid,
              hd_kind_info[hd_pending()->kind].text);
    hd_section_leave(t, HD_SECTION_LEFT);
    return false;
}

/* Out of the ordinary: it may have to take a signal first, or not to wait at all. */
static HD_COLD void pass_specially(struct hd_thread *t)
{
    if (hd.eager) {
        return_to_parent(t);
    } else if (!t->in_section || !stays_in_section(t)) {
        if (hd.signals)
            hd_signal_stands(t);
        pass_gate(t);
    }
}

/* False: a handler has ended the wait, and the operation is gone. */
static HD_COLD bool take_signals(struct hd_thread *t)
{
    while (hd_signal_turn(t))
        pass_gate(t);
    return hd.exec->pending[t->tid].kind != HD_EV_NONE;
}

void hd_gate_put_aside(struct hd_thread *t, struct hd_aside *a, struct hd_obj *signals)
{
    struct hd_event *e = &hd.exec->pending[t->tid];
    bool conditional = hd_kind_traits[e->kind] & CONDITIONAL;

    *a = (struct hd_aside){ *e, t->obj, t->obj2, t->waits };
    if (conditional && t->obj != NULL)
        unwatch(t->obj, t->tid, (enum hd_kind)e->kind);
    if (conditional && t->obj2 != NULL)
        unwatch(t->obj2, t->tid, (enum hd_kind)e->kind);
    t->waits = NULL;
    hd_set_remove(&hd.idle, t->tid);
    announce(t, HD_EV_SIGNAL, hd_kind_traits[HD_EV_SIGNAL], signals, NULL, HD_NO_TID, e->pc);
    hd_gate_reevaluate(t);
}

void hd_gate_take_up(struct hd_thread *t, const struct hd_aside *a)
{
    enum hd_kind kind = (enum hd_kind)a->event.kind;
    bool conditional = hd_kind_traits[kind] & CONDITIONAL;

    hd.exec->pending[t->tid] = a->event;
    t->obj = a->obj;
    t->obj2 = a->obj2;
    t->waits = a->waits;
    sigs[t->tid] = signature(t->obj, kind);
    if (conditional && t->obj != NULL)
        watch(t->obj, t->tid, kind);
    if (conditional && t->obj2 != NULL)
        watch(t->obj2, t->tid, kind);
    hd_gate_reevaluate(t);
}

/* Return when it is t's turn; false: as take_signals. */
static HD_HOT bool await_turn(struct hd_thread *t)
{
    if (HD_UNLIKELY(hd.signals | hd.eager | t->in_section))
        pass_specially(t);
    else
        pass_gate(t);
    if (HD_UNLIKELY(hd.signals)) /* also when one has come only now */
        return take_signals(t);
    return true;
}

static HD_HOT bool wait_for_turn(struct hd_thread *t, enum hd_kind kind, uint64_t pc)
{
    unsigned traits = hd_kind_traits[kind];

    /* The running thread was enabled, and an unconditional operation leaves it so;
     * a polling one may have been held back. */
    if (traits == HD_TRAIT_POLLS && !hd.exit_begun)
        hd_set_put(&hd.point.enabled, t->tid, !(t->parked | t->loop_wait));
    else if (traits != 0 || hd.exit_begun)
        hd_gate_reevaluate(t);
    if (HD_UNLIKELY(!await_turn(t)))
        return false;
    /* Of plain memory the size counts: access.c.  Waking is allowed although nothing is left
     * at the address, which is a mere number there: who was waited for may have woken the
     * others by a write before. */
    if (t->obj != NULL && t->obj->type != HD_OBJ_MEMORY && kind != HD_EV_FUTEX_WAKE)
        hd_memcheck(t->obj->addr, 1, false, pc, hd.stack_lo, hd.stack_len);
    return true;
}

/* One for all kinds of operations: the code of an execution hardly fits into the nearest cache. */
static __attribute__((noinline)) void op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, hd_tid peer,
                      unsigned flags, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_always_look();
    if (hd_kind_traits[kind] & (HD_TRAIT_POLLS | HD_TRAIT_YIELDS) && hd_poll_visit(t, pc))
        flags |= HD_EVF_HELD;
    announce(t, kind, hd_kind_traits[kind], o, o2, peer, pc);
    if (HD_UNLIKELY(flags != 0))
        hd_event_add_flags(&hd.exec->pending[t->tid], flags);
    if (HD_UNLIKELY(!wait_for_turn(t, kind, pc)))
        return;
    hd_object_at_turn(o);
    hd_object_at_turn(o2);
}

void hd_op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, uint64_t pc)
{
    op(kind, o, o2, HD_NO_TID, 0, pc);
}

void hd_op_peer(enum hd_kind kind, struct hd_obj *o, hd_tid peer, uint64_t pc)
{
    op(kind, o, NULL, peer, 0, pc);
}

void hd_op_flags(enum hd_kind kind, struct hd_obj *o, unsigned flags, uint64_t pc)
{
    op(kind, o, NULL, HD_NO_TID, flags, pc);
}

/* ---- mutexes ------------------------------------------------------------------------- */

/* Taken from the table of kinds, to be a constant. */
#define LOCK_TRAITS HD_TRAIT_BLOCKS
#define UNLOCK_TRAITS 0

static HD_HOT void mutex_done(struct hd_thread *t, struct hd_obj *o, enum hd_kind kind, unsigned flags)
{
    struct hd_event *e = &hd.exec->pending[t->tid];

    __asm__("" : "+r"(e));
    if (flags != 0)
        hd_event_add_flags(e, flags);
    append(e, o);
    if (hd.races)
        hd_race_event(e, o->addr);
    settle(t, e, o, NULL, kind, kind == HD_EV_MUTEX_LOCK ? LOCK_TRAITS : UNLOCK_TRAITS);
}

static HD_HOT int lock(struct hd_thread *t, struct hd_obj *o, uint64_t pc)
{
    int rc = ENOTRECOVERABLE;

    if (HD_UNLIKELY(o->flags & HD_OF_NOTRECOVERABLE)) {
        mutex_done(t, o, HD_EV_MUTEX_LOCK, HD_EVF_FAILED);
        return rc;
    }
    rc = hd_mutex_take(o, pc);
    mutex_done(t, o, HD_EV_MUTEX_LOCK, 0);
    return rc;
}

/* The rest of both steps, from one place: after a switch every return to another one is
 * mispredicted. */
static __attribute__((noinline)) int mutex_turn(struct hd_thread *t, struct hd_obj *o, enum hd_kind kind,
                                                uint64_t pc)
{
    await_turn(t);
    hd_memcheck(o->addr, 1, false, pc, hd.stack_lo, hd.stack_len);
    hd_object_at_turn(o);
    if (kind == HD_EV_MUTEX_LOCK)
        return lock(t, o, pc);
    if (HD_LIKELY(o->owner == t->tid))
        hd_mutex_drop(o);
    else
        hd_mutex_unlock_of_another(o, pc);
    mutex_done(t, o, HD_EV_MUTEX_UNLOCK, 0);
    return 0;
}

static HD_HOT int mutex_lock(struct hd_obj *o, bool nested, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_always_look();
    if (HD_UNLIKELY(t->progress >= t->look))
        hd_cycle_lock(t, pc);
    announce(t, HD_EV_MUTEX_LOCK, LOCK_TRAITS, o, NULL, HD_NO_TID, pc);
    if (nested && !can_lock(o))
        hd_deadlock_partial(false);
    if (HD_UNLIKELY(hd.exit_begun))
        hd_gate_reevaluate(t);
    else
        hd_set_put(&hd.point.enabled, t->tid, can_lock(o));
    return mutex_turn(t, o, HD_EV_MUTEX_LOCK, pc);
}

int hd_mutex_lock(struct hd_obj *o, uint64_t pc)
{
    return mutex_lock(o, false, pc);
}

HD_COLD int hd_mutex_lock_nested(struct hd_obj *o, uint64_t pc)
{
    hd_locks_request(o, pc);
    return mutex_lock(o, true, pc);
}

int hd_mutex_unlock(struct hd_obj *o, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_always_look();
    announce(t, HD_EV_MUTEX_UNLOCK, UNLOCK_TRAITS, o, NULL, HD_NO_TID, pc);
    if (HD_UNLIKELY(hd.exit_begun))
        hd_gate_reevaluate(t);
    return mutex_turn(t, o, HD_EV_MUTEX_UNLOCK, pc);
}

/* ---- threads come and go -------------------------------------------------------------- */

void hd_gate_begin(void)
{
    struct hd_point *p = &hd.point;

    hd_set_clear(&p->enabled);
    hd_set_clear(&p->yielded);
    hd_set_clear(&hd.idle);
    p->nthreads = 0;
    p->last = 0;
    p->last_resort = false;
    p->pending = hd.exec->pending;
    p->sigs = sigs;
    p->stands = 0;
    hd.exec->nthreads = 0;
}

void hd_gate_add(struct hd_thread *t)
{
    hd.point.nthreads = hd.exec->nthreads = t->tid + 1u;
    stood[t->tid] = 0; /* what the execution before has left there */
    stand(t->tid, signature(t->obj, (enum hd_kind)hd.exec->pending[t->tid].kind), 0);
    hd_set_add(&hd.point.enabled, t->tid); /* to start is always possible */
}

void hd_gate_leave_for_good(void)
{
    struct hd_thread *t = hd.cur;

    hd.exec->pending[t->tid].kind = HD_EV_NONE;
    hd_set_remove(&hd.point.enabled, t->tid);
    if (t->polls)
        hd_poll_forget(t);
    hd_set_remove(&hd.idle, t->tid);
    if (hd.eager)
        return_to_parent(t);
    switch_to(t, decide(t));
    HD_INVARIANT(false, "a thread that has ended was chosen");
    __builtin_unreachable();
}

/* ---- waiting with tokens ------------------------------------------------------------------ */

void hd_wait_enqueue(struct hd_obj *q, enum hd_timed timed)
{
    struct hd_thread *t = hd.cur;

    t->timed = (uint8_t)timed;
    t->stamp = ++q->seq;
    q->nwaiters++;
    t->queued = q;
}

unsigned hd_wait_tokens(struct hd_obj *q, unsigned n)
{
    unsigned given = 0;

    if (q->nwaiters > 0 && q->tokens == NULL)
        q->tokens = hd_object_tokens();
    while (given < n && q->ntokens < q->nwaiters) {
        q->tokens[q->ntokens++] = ++q->seq;
        given++;
    }
    return given;
}

/* The oldest token for those who have waited since before it: newer than stamp. */
static void take_token(struct hd_obj *q, uint32_t stamp)
{
    uint32_t i = 0;

    while (q->tokens[i] <= stamp)
        i++;
    q->ntokens--;
    for (; i < q->ntokens; i++)
        q->tokens[i] = q->tokens[i + 1];
}

void hd_gate_dequeue(struct hd_thread *t)
{
    t->queued->nwaiters--;
    t->queued = NULL;
}

static void leave_queue(struct hd_thread *t, struct hd_obj *q)
{
    hd_gate_dequeue(t);
    if (q->ntokens > q->nwaiters)
        take_token(q, 0); /* nobody is left for it */
}

bool hd_wait_block(struct hd_obj *q, struct hd_obj *mutex, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_always_look();
    announce(t, HD_EV_COND_WAKE, hd_kind_traits[HD_EV_COND_WAKE], q, mutex, HD_NO_TID, pc);
    if (HD_UNLIKELY(t->held)) /* from timing out once more */
        hd_event_add_flags(&hd.exec->pending[t->tid], HD_EVF_HELD);
    t->waits = q;
    if (HD_UNLIKELY(!wait_for_turn(t, HD_EV_COND_WAKE, pc))) { /* see hd_signal_ended_wait */
        leave_queue(t, q);
        return false;
    }
    bool cancelled = q->type == HD_OBJ_COND && hd_thread_is_cancelled(t);
    bool woken = has_token(t) && !cancelled; /* who is cancelled leaves the signal to the others */

    t->waits = NULL;
    if (woken)
        take_token(q, t->stamp);
    leave_queue(t, q);
    if ((woken || cancelled) && mutex != NULL)
        hd_mutex_take(mutex, pc);
    hd_done(woken, woken ? 0 : HD_EVF_FAILED);
    return woken;
}
