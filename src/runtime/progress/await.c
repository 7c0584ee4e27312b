/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await.c - gives operations of waiting loops their keys, tries them, and undoes trials.  See await.h. */
#include "runtime/progress/await.h"

#include "base/hash.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/progress/await_places.h"
#include "runtime/progress/await_state.h"
#include "runtime/progress/poll.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

/* Stands for a value in the table of outcomes.  It says that the operation with this key has been tried before. */
#define SEEN UINT64_C(0x7365656e7365656e)

enum { STRETCH = 16, OTHERS = 4, STORED = 4 };

bool hd_await_trying;
uint32_t hd_await_nwaiting;

static struct hd_set waiting; /* threads whose pending operation has a key */

/* The object or memory that an operation depends on. */
struct location {
    uintptr_t addr;
    const struct hd_obj *lock; /* the lock that it tries to take; NULL: its location is memory */
    uint8_t kind, size;
};

/* A pending operation with a key. */
static struct waiter {
    uint64_t key;
    uint64_t pc;
    uint64_t value; /* value of the location when it was read last */
    uint64_t vain;  /* the value of the location when the operation last began another round; valid if in_vain */
    struct location on;
    uint32_t obj;
    uint32_t open; /* 1 + the number of events when the operation was last enabled; 0: never */
    bool in_vain;
} waiters[HD_MAX_THREADS];

/* A5: the operations of a thread since it last changed anything; only the last STRETCH of them are kept. */
static struct stretch {
    uint32_t epoch; /* execution to which this belongs */
    uint32_t n;
    uint64_t state[STRETCH]; /* states before its operations at known places */
    uint64_t sum;            /* sum of the hashes of all states, which does not depend on their order */
    uint64_t progress, stores, opaque; /* counters of the thread when the stretch began */
    struct {
        uintptr_t addr;
        uint8_t size, after; /* after: number of states before the store */
    } stored[STORED];        /* A9: stores outside the stack */
    uint32_t nstored;
    uint64_t other[OTHERS];  /* pcs of operations at unknown places */
    uint32_t nothers;
} stretches[HD_MAX_THREADS];

static bool given_up; /* A7: threads no longer wait in this way */

/* The last event, while it may still be taken back (A2). */
static struct trial {
    hd_tid tid;
    bool impure; /* A1: the thread has read shared memory by a plain access since the trial */
    uint8_t just_yielded, at_visit;
    uint32_t step, event, preemptions, grace, grace_cuts;
    uint64_t trace_hash, progress, stores, opaque, expected;
} trial;

void hd_await_begin(void)
{
    hd_await_find_places();
    hd.exec->waits = hd_await_nplaces;
    if (hd_await_nplaces > 0 && hd.cfg->traits.tries_first)
        hd_search_sees_waits(&hd.search);
    given_up = false;
    hd_await_trying = false;
    hd_await_nwaiting = 0;
    hd_set_clear(&waiting);
    hd_set_clear(&hd.point.awaiting);
    hd_set_clear(&hd.point.untried);
    hd.point.nuntried = 0;
}

/* ---- enabled or not ------------------------------------------------------------------ */

/* Returns a hash of everything that determines the outcome of the operation, except the state of its thread. */
static uint64_t value_of(const struct hd_thread *t)
{
    const struct location *p = &waiters[t->tid].on;
    uint64_t v = 0;

    if (p->lock != NULL) {
        const struct hd_sync_state *s = &p->lock->sync;
        bool fails = hd_sync_run(s, hd_kind_when((enum hd_kind)p->kind), t->tid, 0) == HD_RUN_BLOCKED;

        return (fails ? HD_AWAIT_HELD : 0) | (uint64_t)s->done << 8 | (uint64_t)(s->owner == t->tid) << 9;
    }
    hd_mem_copy(&v, (const void *)p->addr, p->size);
    return v;
}

static void set_parked(struct hd_thread *t, bool parked)
{
    t->loop.parked = parked;
    hd_set_put(&hd.point.awaiting, t->tid, parked);
}

static void set_untried(const struct hd_thread *t, bool untried)
{
    hd.point.nuntried += (uint32_t)untried - hd_set_has(&hd.point.untried, t->tid);
    hd_set_put(&hd.point.untried, t->tid, untried);
}

static enum hd_await_outcome outcome(uint64_t key, uint64_t value)
{
    return hd_await_find(hd.wire->common->awaits, key, value);
}

static void evaluate(struct hd_thread *t)
{
    struct waiter *w = &waiters[t->tid];

    w->value = value_of(t);
    enum hd_await_outcome o = outcome(w->key, w->value);

    set_parked(t, (w->in_vain && w->vain == w->value) || o == HD_AWAIT_GOES_ROUND);
    if (!t->loop.parked)
        w->open = hd.exec->nevents + 1;
    set_untried(t, o == HD_AWAIT_UNKNOWN && !t->loop.parked);
}

static void put_waiting(struct hd_thread *t, bool on)
{
    hd_await_nwaiting += (uint32_t)on - hd_set_has(&waiting, t->tid);
    hd_set_put(&waiting, t->tid, on);
    hd_poll_mode();
}

void hd_await_forget(struct hd_thread *t)
{
    if (hd_await_trying && trial.tid == t->tid)
        hd_await_trying = false;
    if (!hd_set_has(&waiting, t->tid))
        return;
    if (!t->loop.held) /* otherwise poll.c has parked the thread */
        set_parked(t, false);
    set_untried(t, false);
    put_waiting(t, false);
}

/* ---- trials (A2) ----------------------------------------------------------------------- */

static void learn(uint64_t key, uint64_t value, bool goes_round)
{
    struct hd_await_table *table = hd.wire->common->awaits;

    hd_await_add(table, key, SEEN, true);
    hd_await_add(table, key, value, goes_round);
    hd_await_add(table, key, hd_await_hashed(hd_event_value_hash(value)), goes_round);
}

/* True if the trial is the last step.  Its further events may only be TOUCH events: reads of other objects that
 * represent the same memory. */
static bool is_last_step(const struct hd_thread *t)
{
    const struct hd_execution *x = hd.exec;

    if (trial.tid != t->tid || x->nsteps != trial.step + 1 || x->nevents <= trial.event)
        return false;
    for (uint32_t i = trial.event + 1; i < x->nevents; i++)
        if (x->events[i].kind != HD_EV_TOUCH || x->events[i].flags & HD_EVF_FAILED)
            return false;
    return true;
}

/* True if the thread that tried the operation has made a choice since.  A choice is a step, so the operation does
 * not go round. hd_await_event does not report this, because a choice records no event that poll.c sees. */
static bool has_chosen(const struct hd_thread *t)
{
    return trial.tid == t->tid && hd.exec->nsteps > trial.step + 1;
}

/* Checks everything that A1 requires except the state of the thread. */
static bool has_changed_nothing(const struct hd_thread *t)
{
    return is_last_step(t) && !trial.impure && t->progress == trial.progress && hd.stores == trial.stores &&
           t->loop.opaque == trial.opaque;
}

static void take_back(struct hd_thread *t)
{
    struct hd_execution *x = hd.exec;

    x->nevents = trial.event;
    x->nsteps = trial.step;
    x->trace_hash = trial.trace_hash;
    x->preemptions = trial.preemptions;
    x->grace_cuts = trial.grace_cuts;
    t->grace = trial.grace;
    t->just_yielded = trial.just_yielded;
    t->loop.visited = trial.at_visit;
    t->loop.expected = trial.expected;
    hd_poll_restore(t);
    if (hd.races)
        hd_callbacks.race_restore();
}

static void end_trial(void)
{
    hd_await_trying = false;
    hd_poll_mode();
}

void hd_await_turn(struct hd_thread *t)
{
    struct hd_execution *x = hd.exec;
    struct hd_event *e = &x->pending[t->tid];
    const struct waiter *w = &waiters[t->tid];

    if (!hd_set_has(&waiting, t->tid)) { /* a signal handler has run in between */
        e->peer = HD_NO_TID;
        return;
    }
    x->await_keys[x->nevents] = w->key;
    evaluate(t);
    hd_await_forget(t);
    if (outcome(w->key, w->value) == HD_AWAIT_LEAVES)
        return;
    trial.tid = t->tid;
    trial.impure = false;
    trial.step = x->nsteps - 1;
    trial.event = x->nevents;
    trial.preemptions = x->preemptions - ((e->flags & HD_EVF_PREEMPTED) != 0);
    trial.grace = t->grace;
    trial.grace_cuts = x->grace_cuts;
    trial.trace_hash = x->trace_hash;
    trial.progress = t->progress;
    trial.stores = hd.stores;
    trial.opaque = t->loop.opaque;
    trial.expected = t->loop.expected;
    trial.just_yielded = t->just_yielded;
    trial.at_visit = t->loop.visited;
    hd_poll_save(t);
    if (hd.races)
        hd_callbacks.race_save(t->tid, w->obj);
    hd_await_trying = true;
    hd_poll_mode();
}

void hd_await_read(void)
{
    const struct waiter *w = &waiters[trial.tid];

    trial.impure = true;
    learn(w->key, w->value, false);
    end_trial();
}

void hd_await_event(const struct hd_thread *t, const struct hd_event *e)
{
    if (!hd_await_trying || (t->tid == trial.tid && (hd_event_awaits(e) || e->kind == HD_EV_TOUCH)))
        return;
    learn(waiters[trial.tid].key, waiters[trial.tid].value, false);
    end_trial();
}

void hd_await_left(void)
{
    if (!hd_await_trying)
        return;
    learn(waiters[trial.tid].key, waiters[trial.tid].value, false);
    end_trial();
}

/* ---- visits ------------------------------------------------------------------------------ */

static struct location location_of(enum hd_kind kind, const struct hd_obj *o)
{
    return (struct location){ .addr = o->addr, .lock = hd_kind_attempts(kind) ? o : NULL, .kind = (uint8_t)kind,
                              .size = hd_await_size(kind) };
}

static void wait_at(struct hd_thread *t, uint64_t key, enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    o->flags |= HD_OF_AWAITED;
    if (o->overlaps)
        hd_fact(HD_FACT_OVERLAP);
    waiters[t->tid] = (struct waiter){ .key = key, .pc = pc, .on = location_of(kind, o), .obj = o->id };
    put_waiting(t, true);
}

/* A5: true if t has done nothing since that interrupts its stretch. */
static bool reaches(const struct stretch *st, const struct hd_thread *t)
{
    return st->epoch == hd.epoch && st->n > 0 && st->progress == t->progress &&
           st->stores + st->nstored == hd.stores && st->opaque == t->loop.opaque;
}

void hd_await_stored(uintptr_t addr, size_t size)
{
    struct stretch *st = &stretches[hd.cur->tid];

    if (addr - hd.stack_lo < hd.stack_len || st->epoch != hd.epoch || st->n == 0)
        return;
    if (st->nstored == STORED || size > 8) {
        st->n = 0;
        return;
    }
    st->stored[st->nstored].addr = addr;
    st->stored[st->nstored].size = (uint8_t)size;
    st->stored[st->nstored++].after = (uint8_t)st->n;
}

/* A9: t is in state i of the stretch again.  True if the stores since then can no longer matter. */
static bool is_pure_since(const struct hd_thread *t, const struct stretch *st, uint32_t i, enum hd_kind kind, uint64_t pc)
{
    for (uint32_t k = 0; k < st->nstored; k++)
        if (st->stored[k].after > i &&
            (kind != HD_EV_ATOMIC_LOAD || !hd_await_is_dead(t, pc, st->stored[k].addr, st->stored[k].size)))
            return false;
    return true;
}

/* True if t, which is about to announce this operation, was in the same state earlier in its stretch. */
static bool has_been(const struct hd_thread *t, const struct stretch *st, uint64_t state, enum hd_kind kind, uint64_t pc)
{
    for (uint32_t i = 0; i < st->n; i++)
        if (st->state[i] == state)
            return is_pure_since(t, st, i, kind, pc);
    return false;
}

static void add_state(struct stretch *st, const struct hd_thread *t, uint64_t state, bool reached)
{
    if (!reached || st->n == STRETCH)
        *st = (struct stretch){ .epoch = hd.epoch, .progress = t->progress, .stores = hd.stores,
                                .opaque = t->loop.opaque };
    st->state[st->n++] = state;
    st->sum += hd_hash_mix(0, state);
}

/* Notes an operation at an unknown place.  If the thread returns to a state before it, the operation belongs to a
 * loop. */
static void add_other(struct stretch *st, uint64_t pc, bool reached)
{
    if (!reached || st->nothers == OTHERS)
        st->n = 0;
    else
        st->other[st->nothers++] = pc;
}

/* Determines the outcome of the last operation of the stretch, if the thread has tried it; `state` is the state of
 * the thread now.  Returns true if the operation has begun another round.  *back: the thread has returned to an
 * earlier state of the stretch. */
static bool judge(const struct hd_thread *t, const struct stretch *st, uint64_t state, enum hd_kind kind, uint64_t pc,
                  bool tried, bool *back)
{
    uint64_t key = waiters[t->tid].key, value = waiters[t->tid].value;
    bool reached = state != 0 && reaches(st, t);

    *back = reached && has_been(t, st, state, kind, pc);
    bool idle = reached && st->nothers == 0 && tried && has_changed_nothing(t);
    bool round = idle && *back;

    if (tried && (is_last_step(t) || has_chosen(t)))
        learn(key, value, round);
    return round;
}

/* Undoes the trial: it began another round and led to the state before it. */
static unsigned return_to(struct hd_thread *t, uint64_t value)
{
    take_back(t);
    waiters[t->tid].in_vain = true;
    waiters[t->tid].vain = value;
    evaluate(t);
    return HD_VISIT_AWAITS | HD_VISIT_AGAIN;
}

unsigned hd_await_visit(struct hd_thread *t, enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    struct stretch *st = &stretches[t->tid];
    bool tried = hd_await_trying && trial.tid == t->tid, may = o != NULL && hd_may_await(kind, hd_entry.size);
    uint64_t before = waiters[t->tid].key, value = waiters[t->tid].value;

    if (may)
        hd_await_own_memory(t, o->addr, hd_entry.size);
    if (tried)
        end_trial();
    hd_await_forget(t);
    if (given_up || hd.signals || hd.eager || t->in_section) {
        st->n = 0;
        return 0;
    }
    uint64_t state = may && hd_await_is_place(pc) ? hd_await_state(t, kind, o, pc) : 0;
    bool back, reached = reaches(st, t), round = judge(t, st, state, kind, pc, tried, &back);

    for (uint32_t i = 0; back && i < st->nothers; i++)
        hd_await_found(st->other[i]);
    if (round && state != st->state[st->n - 1]) {
        if (outcome(before, value) == HD_AWAIT_GOES_ROUND)
            hd_execution_over(HD_END_AGAIN); /* A6: start again */
        round = false; /* the table is full: the operation stays an event */
    }
    if (state == 0) {
        add_other(st, pc, reached && may);
        return 0;
    }
    if (!round)
        add_state(st, t, state, reached && !back && st->nothers == 0);
    wait_at(t, st->n == 1 ? state : hd_hash_mix(state, st->sum) | 1, kind, o, pc);
    return round ? return_to(t, value) : HD_VISIT_AWAITS;
}

void hd_await_look(struct hd_thread *t)
{
    if (outcome(waiters[t->tid].key, SEEN) != HD_AWAIT_UNKNOWN)
        evaluate(t);
    else
        set_untried(t, true);
}

uint64_t hd_await_key(const struct hd_thread *t)
{
    return waiters[t->tid].key;
}

/* ---- writes ------------------------------------------------------------------------------ */

void hd_await_written(const struct hd_thread *by, uintptr_t addr, size_t size, bool done)
{
    HD_SET_EACH(tid, &waiting) {
        struct hd_thread *t = &hd.thread[tid];
        struct waiter *w = &waiters[tid];

        if (t == by || w->on.lock != NULL || w->on.addr + w->on.size <= addr || addr + size <= w->on.addr)
            continue;
        if (done) {
            evaluate(t);
        } else {
            hd_fact(HD_FACT_PLAIN_POLL);
            w->in_vain = false;
            set_parked(t, false);
            set_untried(t, true);
        }
        if (hd_event_awaits(&hd.exec->pending[tid]))
            hd_gate_reevaluate(t);
    }
}

void hd_await_changed(const struct hd_event *e)
{
    HD_SET_EACH(tid, &waiting) {
        struct hd_thread *t = &hd.thread[tid];
        const struct waiter *w = &waiters[tid];

        if (w->on.lock == NULL || (w->obj != e->obj && w->obj != e->obj2))
            continue;
        evaluate(t);
        if (hd_event_awaits(&hd.exec->pending[tid]))
            hd_gate_reevaluate(t);
    }
}

bool hd_await_release(void)
{
    bool any = false;

    HD_SET_EACH(tid, &waiting) {
        struct hd_thread *t = &hd.thread[tid];
        const struct waiter *w = &waiters[tid];

        if (!t->loop.parked || value_of(t) == w->value)
            continue;
        hd_fact(HD_FACT_UNSEEN_WRITE);
        evaluate(t);
        hd_gate_reevaluate(t);
        any |= hd_set_has(&hd.point.enabled, tid);
    }
    return any;
}

bool hd_await_is_within_round(const struct hd_thread *t)
{
    return hd_set_has(&waiting, t->tid) && t->loop.parked && stretches[t->tid].n > 1;
}

bool hd_await_could_leave(const struct hd_thread *t, uint32_t event)
{
    return hd_set_has(&waiting, t->tid) && waiters[t->tid].open > event;
}

HD_COLD bool hd_await_give_up(void)
{
    bool longer = false, any = false;

    HD_SET_EACH(tid, &waiting)
        longer |= hd_await_is_within_round(&hd.thread[tid]);
    if (!longer)
        return false;
    given_up = hd.point.only_waits = true;
    hd.exec->only_waits = 1;
    HD_SET_EACH(tid, &waiting) {
        hd_await_forget(&hd.thread[tid]);
        hd_gate_reevaluate(&hd.thread[tid]);
        any |= hd_set_has(&hd.point.enabled, tid);
    }
    return any;
}

bool hd_await_tell(const struct hd_thread *t, struct hd_polled *out)
{
    const struct waiter *w = &waiters[t->tid];

    if (!hd_set_has(&waiting, t->tid))
        return false;
    *out = (struct hd_polled){ .tid = t->tid, .size = w->on.size, .obj = w->obj, .name = hd_object_name(w->on.addr),
                               .value = w->value, .pc = w->pc };
    return true;
}
