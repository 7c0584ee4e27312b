/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gate.c - the one place where a logical thread waits for its turn.
 *
 * G1  Exactly one fiber runs.  Every other live thread waits at the gate (or before its start) with
 *     a pending operation.
 * G2  At a decision, a thread's bit in hd.point.enabled is set iff its pending operation can take
 *     effect now and nothing holds the thread back (parked, loop bound, exit grace).
 *     hd_gate_reevaluate (enabled.c) sets the bit.  object_changed and wait_for_turn have short
 *     forms of it for mutexes and polls, and worker/verdict.c enables further threads when no other
 *     thread can run.  Between hd_done and its next operation the running thread has no pending
 *     operation: its bit then means nothing.
 * G3  An object's watchers are exactly the threads whose pending operation names it and is
 *     conditional.  Code that changes the object's state reevaluates them (hd_done). */
#include "runtime/core/gate.h"

#include "base/check.h"
#include "base/hash.h"
#include "model/point_class.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/entry.h"
#include "runtime/core/event_words.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate_inner.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

uint32_t hd_gate_sigs[HD_MAX_THREADS];
uint32_t hd_gate_stood[HD_MAX_THREADS];
static struct hd_point_op passed[HD_MAX_THREADS]; /* each thread's last operation, while hd.blocks */

/* ---- events --------------------------------------------------------------------- */

/* Enables or disables the watchers of o, whose state has changed.  The fast path is for watchers that all wait to lock
 * a mutex: one expression updates all their bits.  It does not test whether there are any watchers, because the
 * processor could not predict that branch.  (Such threads are held back only after exit has begun.) */
static inline void object_changed(struct hd_obj *o)
{
    uint64_t *enabled = &hd.point.enabled.w[0];

    if (HD_LIKELY(o->nlockers == o->nwatchers && hd.point.nthreads <= 64 && !hd.exit_begun))
        *enabled = (*enabled & ~o->watchers.w[0]) | (o->watchers.w[0] & -(uint64_t)hd_mutex_is_open(o));
    else
        hd_gate_reevaluate_object(o);
}

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

/* An operation that orders nothing still uses the memory of its object, which another thread may
 * free.  (For plain accesses, hooks/access.c informs the race detector.) */
static inline void record(const struct hd_event *e, const struct hd_obj *o)
{
    append(e, o);
    if (hd.races && (hd_kind_hb[e->kind] != HD_HB_NONE ||
                     (o != NULL && o->type != HD_OBJ_MEMORY && hd_is_heap_address(o->addr))))
        hd_callbacks.race_event(e, o != NULL ? o->addr : 0);
}

void hd_gate_record(const struct hd_event *e, const struct hd_obj *o)
{
    record(e, o);
}

void hd_gate_append(const struct hd_event *e, const struct hd_obj *o)
{
    append(e, o);
}

void hd_gate_special(void)
{
    uint32_t quiet = HD_MODE_QUIET & ~HD_MODE_POINTS; /* while HD_MODE_POINTS is set, settle takes its slow path */

    hd.special = hd.nstopped != 0 || (hd.access_mode & ~quiet) != 0 || hd.exit_begun;
}

/* Counts an operation of t after exit began.  Only the first exit_grace operations are allowed. */
static HD_COLD void count_grace(struct hd_thread *t)
{
    if (t->exiting || t->grace > hd.cfg->exit_grace)
        return;
    if (++t->grace > hd.cfg->exit_grace)
        hd.exec->grace_cuts++;
}

/* The rest of settle for an operation with two objects, or while hd.special. */
static __attribute__((noinline)) void done_special(struct hd_thread *t, struct hd_event *e,
                                                   struct hd_obj *o, struct hd_obj *o2, bool poll)
{
    if (o != NULL)
        object_changed(o);
    if (o2 != NULL) {
        if (hd_kind_traits[e->kind] & HD_CONDITIONAL)
            hd_unwatch(o2, t->tid, (enum hd_kind)e->kind);
        object_changed(o2);
    }
    if (hd.exit_begun)
        count_grace(t);
    if (hd.special)
        hd_callbacks.special_event(t, e, o, poll);
    if (hd.access_mode & HD_MODE_POINTS)
        hd_callbacks.points_used(o, e);
    e->kind = HD_EV_NONE;
    if (hd.access_mode & HD_MODE_TIDY)
        hd_tidy_stack(HD_FRAMES_OF_OPERATION);
}

/* Updates all state after t's operation e was recorded.  If the kind is a constant, the compiler
 * removes most of this. */
static HD_HOT void settle(struct hd_thread *t, struct hd_event *e, struct hd_obj *o, struct hd_obj *o2,
                          enum hd_kind kind, unsigned traits)
{
    bool poll = hd_event_polls(e, traits);

    hd.fuel = HD_FUEL;
    t->progress += !poll;
    hd.progress += !poll;
    t->just_yielded = (traits & HD_TRAIT_YIELDS) != 0;
    t->loop.visited = 0;
    t->obj = t->obj2 = NULL;
    if (HD_UNLIKELY(traits & HD_TRAIT_TIMED))
        hd_set_remove(&hd.idle, t->tid);
    if (o != NULL && traits & HD_CONDITIONAL)
        hd_unwatch(o, t->tid, kind);
    if (HD_UNLIKELY(o2 != NULL || hd.special)) {
        done_special(t, e, o, o2, poll);
        return;
    }
    e->kind = HD_EV_NONE;
    if (o != NULL)
        object_changed(o);
}

/* Records t's pending operation, which has taken effect. */
static __attribute__((noinline)) void done(struct hd_thread *t, uint64_t value, unsigned flags)
{
    struct hd_event *e = &hd.exec->pending[t->tid];

    __asm__("" : "+r"(e)); /* else the compiler recomputes it for each use */
    e->value = value;
    if (flags != 0)
        hd_event_add_flags(e, flags);
    record(e, t->obj);
    /* Read it only now, so that fewer values are live across the calls of the detectors. */
    enum hd_kind kind = (enum hd_kind)e->kind;

    settle(t, e, t->obj, t->obj2, kind, hd_kind_traits[kind]);
}

void hd_done(uint64_t value, unsigned flags)
{
    done(hd.cur, value, flags);
}

/* ---- the decision ------------------------------------------------------------------ */

/* G2: worker/verdict.c may have enabled idle threads.  Disables them again, except the chosen one. */
static HD_COLD void end_idling(hd_tid chosen)
{
    HD_SET_EACH(tid, &hd.idle)
        hd_set_put(&hd.point.enabled, tid, tid == chosen);
}

/* Not HD_COLD: gcc 12 would then treat the whole rest of decide as rarely executed. */
static __attribute__((noinline)) bool is_nobody_enabled(void)
{
    return hd_set_is_empty(&hd.point.enabled);
}

/* Returns the thread that runs next.  cur is the thread that ran last. */
static HD_HOT struct hd_thread *decide(struct hd_thread *cur)
{
    struct hd_point *p = &hd.point;
    struct hd_execution *x = hd.exec;

    bool idle = false;
    unsigned last = cur->tid;

    if (HD_UNLIKELY(x->nsteps >= hd.next_check))
        hd_callbacks.look_at_limits();
#ifdef HD_CHECKS
    hd_gate_check_rules();
#endif
    if (HD_UNLIKELY(p->enabled.w[0] == 0) && is_nobody_enabled()) {
        idle = true;
        hd_callbacks.nobody_enabled();
    }

    p->step = x->nsteps;
    p->last = (hd_tid)last;
    bool enabled = hd_set_has(&p->enabled, last);

    __asm__("" : "+r"(enabled)); /* else gcc stores it as a byte in memory and reads it back */
    p->last_enabled = enabled;
    p->last_yielded = cur->just_yielded;
    hd_tid next = HD_LIKELY(!(hd.unfair | hd.prologue)) ? hd_search_pick(&hd.search, p) : hd_callbacks.pick_specially(p);

    if (HD_UNLIKELY(next == HD_NO_TID))
        hd_callbacks.stopped();
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

/* Lets a new thread start.  Its start takes effect on the stack of the thread that ran before, because the new
 * thread's own stack must be untouched when its function begins. */
static HD_HOT void switch_to(struct hd_thread *from, struct hd_thread *to)
{
    if (hd.exec->pending[to->tid].kind == HD_EV_THREAD_START)
        done(to, 0, 0);
    hd_fiber_switch(from, to);
}

/* One function for all kinds of operations, for two reasons: the code that an execution runs barely fits into the L1
 * cache, and the processor predicts the return after a fiber switch only if all such returns go to the same place. */
static __attribute__((noinline, hot)) void pass_gate(struct hd_thread *t)
{
    struct hd_thread *next = decide(t);

    if (next != t)
        switch_to(t, next);
}

static HD_COLD void return_to_parent(struct hd_thread *t)
{
    hd.eager = 0;
    hd_fiber_switch(t, hd.eager_parent);
}

/* True if t continues in its atomic section, where no other thread has a turn.  If t would have to wait, reports
 * misuse, ends the section and returns false. */
static HD_COLD bool stays_in_section(struct hd_thread *t)
{
    hd_gate_make_room();
    if (hd_set_has(&hd.point.enabled, t->tid))
        return true;
    hd_callbacks.report(HD_FK_LOCK_MISUSE, hd_pending()->pc,
                        "T%u has to wait (%s) inside an atomic section (heddle_atomic_begin)", t->tid,
                        hd_kind_info[hd_pending()->kind].text);
    hd_callbacks.section_leave(t, HD_SECTION_LEFT);
    return false;
}

/* Returns the pending operation of the running thread t.  A filter examines the calls of the thread, which are
 * those of this moment. */
static struct hd_point_op pending_op(const struct hd_thread *t)
{
    const struct hd_event *e = &hd.exec->pending[t->tid];
    bool left = hd.cfg->filters.n > 0 && !hd_callbacks.point_selected(e->pc);

    return (struct hd_point_op){ e->kind, (uint16_t)(left ? HD_POINT_ALL : hd.cfg->no_points) };
}

/* True if t's pending operation is not a scheduling point (model/point_class.h, C1 and C3). */
static bool is_inside_block(const struct hd_thread *t, struct hd_point_op now)
{
    const struct hd_execution *x = hd.exec;

    if (hd_point_between(passed[t->tid], now) ||
        (hd_point_class((enum hd_kind)now.kind) == HD_POINT_ACCESS && hd_callbacks.point_chosen(x->pending[t->tid].pc)))
        return false;
    return !t->loop.held && !hd.exit_begun && !hd.signals &&
           (x->nsteps == 0 || x->decisions[x->nsteps - 1].alternatives == 0);
}

/* C2: records that the step ends here because of the state of this object. */
static void touch_closed(const struct hd_thread *t, const struct hd_obj *o)
{
    struct hd_event e = { .tid = t->tid, .kind = HD_EV_TOUCH, .peer = HD_NO_TID, .flags = HD_EVF_FAILED,
                          .obj = o->id, .pc = hd.exec->pending[t->tid].pc };

    append(&e, o);
}

/* True if t continues without a decision. */
static bool goes_on(struct hd_thread *t, struct hd_point_op now)
{
    if (!is_inside_block(t, now))
        return false;
    hd_gate_make_room();
    if (hd_set_has(&hd.point.enabled, t->tid))
        return true;
    if (t->obj != NULL)
        touch_closed(t, t->obj);
    if (t->obj2 != NULL)
        touch_closed(t, t->obj2);
    return false;
}

/* The rare cases of await_turn: eager start, atomic section, blocks, signals. */
static HD_COLD void pass_specially(struct hd_thread *t)
{
    struct hd_point_op now = { 0 };

    if (hd.blocks)
        now = pending_op(t);
    if (t->in_section == HD_IN_TRANSACTION)
        hd_callbacks.tx_operation(t);
    if (hd.eager) {
        return_to_parent(t);
    } else if (!(t->in_section && stays_in_section(t)) && !(hd.blocks && goes_on(t, now))) {
        if (hd.signals)
            hd_callbacks.signal_announced(t);
        pass_gate(t);
    }
    passed[t->tid] = now;
}

/* Lets t take its signals first.  Returns false if a handler has ended the wait; then the operation is no longer
 * pending. */
static HD_COLD bool take_signals(struct hd_thread *t)
{
    while (hd_callbacks.signal_turn(t))
        pass_gate(t);
    return hd.exec->pending[t->tid].kind != HD_EV_NONE;
}

/* Returns when t has its turn.  Returns false if a handler has ended the wait (take_signals). */
static HD_HOT bool await_turn(struct hd_thread *t)
{
    if (HD_UNLIKELY(hd.signals | hd.eager | t->in_section | hd.blocks))
        pass_specially(t);
    else
        pass_gate(t);
    if (HD_UNLIKELY(hd.signals)) /* the signal may have come while the thread waited for its turn */
        return take_signals(t);
    return true;
}

/* Reports the access if the memory of o no longer exists. */
static HD_HOT void check_access(const struct hd_obj *o, uint64_t pc)
{
    if (HD_UNLIKELY(!hd_memcheck_near(o->addr, 1, hd.stack_lo, hd.stack_len)))
        hd_callbacks.bad_access(o->addr, 1, false, pc);
}

void hd_gate_use(const struct hd_obj *o, uint64_t pc)
{
    check_access(o, pc);
    if (hd.races && hd_is_heap_address(o->addr))
        hd_callbacks.race_use(o->addr, pc);
}

static HD_HOT bool wait_for_turn(struct hd_thread *t, enum hd_kind kind, uint64_t pc)
{
    unsigned traits = hd_kind_traits[kind];

    /* The running thread was enabled, and an unconditional operation keeps it enabled.  Only at a polling
     * operation may a thread be held back. */
    if (traits == HD_TRAIT_POLLS && !hd.exit_begun)
        hd_set_put(&hd.point.enabled, t->tid, !(t->loop.parked | t->loop.stopped));
    else if (traits != 0 || hd.exit_begun)
        hd_gate_reevaluate(t);
    if (HD_UNLIKELY(!await_turn(t)))
        return false;
    /* For plain memory the size matters: hooks/access.c checks it.  A futex wake is allowed on
     * freed memory, where the address is only a number: the woken thread may have seen an earlier
     * write and freed the memory. */
    if (t->obj != NULL && t->obj->type != HD_OBJ_MEMORY && kind != HD_EV_FUTEX_WAKE)
        check_access(t->obj, pc);
    return true;
}

bool hd_gate_await(struct hd_thread *t, enum hd_kind kind, uint64_t pc)
{
    return wait_for_turn(t, kind, pc);
}

/* The last step was undone, and the operation is pending again (progress/await.h): decides again, as if the thread
 * had not run.  Returns false if a handler has ended the wait. */
static HD_COLD bool decide_again(struct hd_thread *t)
{
    hd_gate_reevaluate(t);
    hd.point.again = true;
    struct hd_thread *next = decide(&hd.thread[hd.point.last]);

    hd.point.again = false;
    if (next != t)
        switch_to(t, next);
    return !hd.signals || take_signals(t);
}

/* Handles the flags (enum hd_visit_flag) of an operation that is being announced. */
static HD_COLD void announce_flags(struct hd_thread *t, unsigned flags)
{
    struct hd_event *e = &hd.exec->pending[t->tid];

    hd_event_add_flags(e, flags & 0xff);
    if (!(flags & HD_VISIT_AWAITS))
        return;
    e->peer = HD_PEER_AWAITS;
    e->value = hd_callbacks.await_key(t);
    if (t->obj->type == HD_OBJ_MEMORY)
        hd_event_add_flags(e, (unsigned)__builtin_ctz(hd_entry.size) << HD_EVF_SIZE_SHIFT);
}

/* One function for all kinds of operations: see pass_gate. */
static __attribute__((noinline)) void op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, hd_tid peer,
                      unsigned flags, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    if (hd_kind_traits[kind] & (HD_TRAIT_POLLS | HD_TRAIT_YIELDS))
        flags |= hd_callbacks.poll_visit(t, kind, o, pc);
    hd_announce(t, kind, hd_kind_traits[kind], o, o2, peer, pc);
    if (HD_UNLIKELY(flags != 0))
        announce_flags(t, flags);
    if (HD_UNLIKELY(flags & HD_VISIT_AGAIN ? !decide_again(t) : !wait_for_turn(t, kind, pc)))
        return;
    if (HD_UNLIKELY(flags & HD_VISIT_AWAITS))
        hd_callbacks.await_turn(t);
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

void hd_gate_withdraw(struct hd_thread *t)
{
    struct hd_event *e = &hd.exec->pending[t->tid];
    enum hd_kind kind = (enum hd_kind)e->kind;

    if (hd_kind_traits[kind] & HD_CONDITIONAL) {
        if (t->obj != NULL)
            hd_unwatch(t->obj, t->tid, kind);
        if (t->obj2 != NULL)
            hd_unwatch(t->obj2, t->tid, kind);
    }
    t->obj = t->obj2 = NULL;
    e->kind = HD_EV_NONE;
    hd_set_remove(&hd.idle, t->tid);
    hd_set_add(&hd.point.enabled, t->tid);
}

/* ---- mutexes ------------------------------------------------------------------------- */

/* The same traits as in the table of kinds, but known to the compiler. */
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
        hd_callbacks.race_event(e, o->addr);
    settle(t, e, o, NULL, kind, kind == HD_EV_MUTEX_LOCK ? LOCK_TRAITS : UNLOCK_TRAITS);
}

static HD_HOT int lock(struct hd_thread *t, struct hd_obj *o, uint64_t pc)
{
    int rc = ENOTRECOVERABLE;

    if (HD_UNLIKELY(o->sync.done)) {
        mutex_done(t, o, HD_EV_MUTEX_LOCK, HD_EVF_FAILED);
        return rc;
    }
    rc = hd_mutex_take(o, pc);
    mutex_done(t, o, HD_EV_MUTEX_LOCK, 0);
    return rc;
}

/* Unlocks a mutex that another thread holds, as libc does.  POSIX leaves this undefined. */
static HD_COLD void unlock_of_another(struct hd_obj *o, uint64_t pc)
{
    hd_callbacks.lock_not_own(o, pc);
    if (o->sync.owner == HD_NO_TID)
        return;
    hd_lock_given(&hd.thread[o->sync.owner], o);
    hd_take_effect(o, HD_EV_MUTEX_UNLOCK, 0);
}

/* The rest of both operations.  One function: see pass_gate. */
static __attribute__((noinline)) int mutex_turn(struct hd_thread *t, struct hd_obj *o, enum hd_kind kind,
                                                uint64_t pc)
{
    await_turn(t);
    check_access(o, pc);
    hd_object_at_turn(o);
    if (kind == HD_EV_MUTEX_LOCK)
        return lock(t, o, pc);
    if (HD_LIKELY(o->sync.owner == t->tid))
        hd_mutex_drop(o);
    else
        unlock_of_another(o, pc);
    mutex_done(t, o, HD_EV_MUTEX_UNLOCK, 0);
    return 0;
}

static HD_HOT int mutex_lock(struct hd_obj *o, bool nested, uint64_t pc)
{
    struct hd_thread *t = hd.cur;
    bool held = false;

    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    if (HD_UNLIKELY(t->progress >= t->loop.lock_check))
        held = hd_callbacks.lock_visit(t, o, pc);
    hd_announce(t, HD_EV_MUTEX_LOCK, LOCK_TRAITS, o, NULL, HD_NO_TID, pc);
    if (HD_UNLIKELY(held))
        hd_event_add_flags(&hd.exec->pending[t->tid], HD_EVF_HELD);
    if (nested && !hd_mutex_is_open(o))
        hd_callbacks.look_for_deadlock(false);
    if (HD_UNLIKELY(hd.exit_begun | held))
        hd_gate_reevaluate(t);
    else
        hd_set_put(&hd.point.enabled, t->tid, hd_mutex_is_open(o));
    return mutex_turn(t, o, HD_EV_MUTEX_LOCK, pc);
}

int hd_mutex_lock(struct hd_obj *o, uint64_t pc)
{
    return mutex_lock(o, false, pc);
}

HD_COLD int hd_mutex_lock_nested(struct hd_obj *o, uint64_t pc)
{
    hd_callbacks.lock_nested(o, pc);
    return mutex_lock(o, true, pc);
}

int hd_mutex_unlock(struct hd_obj *o, uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    hd_announce(t, HD_EV_MUTEX_UNLOCK, UNLOCK_TRAITS, o, NULL, HD_NO_TID, pc);
    if (HD_UNLIKELY(hd.exit_begun))
        hd_gate_reevaluate(t);
    return mutex_turn(t, o, HD_EV_MUTEX_UNLOCK, pc);
}

/* ---- begin and end of threads --------------------------------------------------------- */

void hd_gate_begin(void)
{
    struct hd_point *p = &hd.point;

    hd_set_clear(&p->enabled);
    hd_set_clear(&p->yielded);
    hd_set_clear(&hd.idle);
    p->nthreads = 0;
    p->last = 0;
    hd.blocks = hd.cfg->no_points != 0 || hd.cfg->filters.n > 0;
    p->last_resort = p->again = p->only_waits = false;
    p->pending = hd.exec->pending;
    p->sigs = hd_gate_sigs;
    p->stands = 0;
    hd.exec->nthreads = 0;
}

void hd_gate_add(struct hd_thread *t)
{
    hd.point.nthreads = hd.exec->nthreads = t->tid + 1u;
    passed[t->tid] = (struct hd_point_op){ .kind = HD_EV_NONE };
    hd_gate_stood[t->tid] = 0; /* clear the value of the last execution */
    hd_stand(t->tid, hd_signature_of(t->obj, (enum hd_kind)hd.exec->pending[t->tid].kind), 0);
    hd_set_add(&hd.point.enabled, t->tid); /* a start is always possible */
}

void hd_gate_leave_for_good(void)
{
    struct hd_thread *t = hd.cur;

    hd.exec->pending[t->tid].kind = HD_EV_NONE;
    hd_set_remove(&hd.point.enabled, t->tid);
    if (t->loop.polls)
        hd_callbacks.poll_forget(t);
    hd_set_remove(&hd.idle, t->tid);
    if (hd.eager)
        return_to_parent(t);
    pass_gate(t);
    HD_INVARIANT(false, "a thread that has ended was chosen");
    __builtin_unreachable();
}
