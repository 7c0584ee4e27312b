/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reversal.c - builds the sequence that reverses a race.  Makes no libc calls. */
#include "search/por/reversal.h"

#include <stdatomic.h>

#include "model/lock.h"

void hd_reversal_init(struct hd_reversal *r, struct hd_trace *t, struct hd_arena *arena)
{
    r->trace = t;
    hd_history_init(&r->history, t, arena);
    if (r->v != NULL)
        return;
    hd_beside_init(&r->beside, t, arena);
    r->index = r->beside.step; /* v shares the memory of the steps found */
    r->v = hd_arena_alloc(arena, (HD_TRACE_STEPS + 1) * sizeof *r->v);
}

const struct hd_event *hd_reversal_operation(const struct hd_trace *t, uint32_t step)
{
    const struct hd_trace_step *s = &t->step[step];
    const struct hd_event *e = &t->exec->events[s->event];

    if (s->nevents == 0)
        return NULL;
    /* a thread start that is not a scheduling point comes before the thread's first operation */
    return e->kind == HD_EV_THREAD_START && s->nevents > 1 ? e + 1 : e;
}

static void feed(struct hd_reversal *r, const struct hd_event *op, uint32_t from, uint32_t n)
{
    uint32_t lock = hd_event_lock(op), queue = hd_event_queue(op);

    for (uint32_t i = from; i < from + n; i++) {
        const struct hd_event *e = &r->trace->exec->events[i];

        if (lock != 0 && e->obj == lock && hd_event_lock(e) == lock)
            hd_automaton_lock_event(&r->lock, e);
        if (queue != 0 && hd_event_queue(e) == queue)
            hd_automaton_queue_event(&r->queue, e);
    }
}

/* True for a plain or atomic access: it can always run, and changes only its location. */
static bool always_runs(const struct hd_event *op)
{
    return op->kind == HD_EV_ATOMIC_LOAD || op->kind == HD_EV_ATOMIC_STORE ||
           op->kind == HD_EV_ATOMIC_RMW || op->kind == HD_EV_PLAIN_READ ||
           op->kind == HD_EV_PLAIN_WRITE;
}

/* True if, in the events before e and those of v, another thread has changed the object since the racer's
 * thread last touched it. */
static bool is_stale(const struct hd_reversal *r, uint32_t e, hd_tid tid, uint32_t obj)
{
    const struct hd_trace *t = r->trace;
    bool stale = false;

    for (uint32_t i = 0; i <= r->nv; i++) {
        const struct hd_trace_step *s = &t->step[i == 0 ? e : r->index[i - 1]];
        uint32_t from = i == 0 ? 0 : s->event;
        uint32_t to = i == 0 ? s->event : s->event + s->nevents;

        for (uint32_t k = from; k < to; k++) {
            const struct hd_event *other = &t->exec->events[k];

            if (other->tid != tid)
                stale |= hd_event_changes(other, obj);
            else if (hd_event_touches(other, obj))
                stale = false;
        }
    }
    return stale;
}

/* True if a thread that was held back before the operation (HD_EVF_HELD) could continue.  The TOUCH events of
 * the step name the objects that the thread polls.  If the execution ended with the thread held back, no other
 * thread had written these objects, nor has one in any part of the execution. */
static bool may_go_on(const struct hd_reversal *r, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_trace *t = r->trace;

    if (racer->step == HD_NO_STEP)
        return false;
    const struct hd_trace_step *s = &t->step[racer->step];

    for (uint32_t i = 0; i < s->nevents; i++) {
        const struct hd_event *touch = &t->exec->events[s->event + i];

        if (touch->kind == HD_EV_TOUCH && !(touch->flags & HD_EVF_FAILED) &&
            is_stale(r, e, racer->tid, touch->obj))
            return true;
    }
    return false;
}

/* If e took the lock, the lock was free there, and no step of v touches it: all later users come after its
 * holder. */
bool hd_reversal_of_locks(const struct hd_trace *t, uint32_t step, const struct hd_event *op)
{
    const struct hd_event *e = hd_reversal_operation(t, step);

    return e != NULL &&
           (op->kind == HD_EV_MUTEX_LOCK || op->kind == HD_EV_SPIN_LOCK ||
            op->kind == HD_EV_RWLOCK_WRLOCK) &&
           e->kind == op->kind && e->obj == op->obj && !(e->flags & HD_EVF_FAILED) &&
           t->lazy == NULL;
}

/* True if no step that may come before the operation can block it or change its outcome. */
static bool runs_in_any_case(const struct hd_trace *t, uint32_t e, const struct hd_event *op)
{
    return !hd_event_awaits(op) && (always_runs(op) || hd_reversal_of_locks(t, e, op)) &&
           !(op->flags & (HD_EVF_HELD | HD_EVF_FAILED));
}

bool hd_reversal_is_plain(const struct hd_trace *t, uint32_t e, const struct hd_racer *racer)
{
    return racer->step != HD_NO_STEP && !t->step[racer->step].is_long &&
           t->lazy == NULL && t->nmany == 0 && runs_in_any_case(t, e, racer->op);
}

static enum hd_run run_after(struct hd_reversal *r, uint32_t e, const struct hd_event *op)
{
    const struct hd_trace *t = r->trace;

    if (always_runs(op) || hd_reversal_of_locks(t, e, op))
        return HD_RUN_OK;
    uint32_t lock = hd_event_lock(op), queue = hd_event_queue(op);

    if (lock != 0)
        hd_history_before(&r->history, HD_HISTORY_LOCK, lock, t->step[e].event, &r->lock);
    if (queue != 0)
        hd_history_before(&r->history, HD_HISTORY_QUEUE, queue, t->step[e].event, &r->queue);
    for (uint32_t i = 0; i < r->nv; i++)
        feed(r, op, t->step[r->index[i]].event, t->step[r->index[i]].nevents);
    return hd_automaton_run(&r->lock, &r->queue, op);
}

static bool ends_wait(enum hd_kind kind)
{
    return kind == HD_EV_COND_WAKE || kind == HD_EV_COND_TIMEOUT || kind == HD_EV_FUTEX_WAKEUP ||
           kind == HD_EV_FUTEX_TIMEOUT;
}

/* True if the racer is held back because it polls, whatever the state of its objects.  A thread that is held
 * back in a wait cannot time out, but it can be woken. */
static bool is_held(const struct hd_reversal *r, uint32_t e, const struct hd_racer *racer,
                    enum hd_run run)
{
    if (!(racer->op->flags & HD_EVF_HELD))
        return false;
    if (ends_wait((enum hd_kind)r->op.kind) && run == HD_RUN_OK)
        return false;
    return !may_go_on(r, e, racer);
}

/* True if this acquisition blocks op in the current state of the automata. */
static bool in_the_way(const struct hd_reversal *r, const struct hd_event *op,
                       const struct hd_event *e)
{
    uint32_t lock = hd_event_lock(op), queue = hd_event_queue(op);

    if (!hd_event_acquires(e))
        return false;
    if (lock != 0 && hd_event_lock(e) == lock) {
        if (r->lock.sync.owner != HD_NO_TID)
            return e->tid == r->lock.sync.owner;
        if (hd_kind_info[op->kind].when == HD_WHEN_WRITABLE)
            return r->lock.mark[e->tid] > 0;
        if (queue == 0)
            return true; /* the event lowered the semaphore's count */
    }
    return queue != 0 && hd_event_queue(e) == queue;
}

/* Returns the index in v of the latest step whose acquisition blocks op; r->nv if there is none. */
static uint32_t find_holder(const struct hd_reversal *r, const struct hd_event *op)
{
    const struct hd_trace *t = r->trace;

    for (uint32_t i = r->nv; i > 0; i--) {
        const struct hd_trace_step *s = &t->step[r->index[i - 1]];

        for (uint32_t k = 0; k < s->nevents; k++)
            if (in_the_way(r, op, &t->exec->events[s->event + k]))
                return i - 1;
    }
    return r->nv;
}

/* Removes from v the step v[at] and everything that happens after it.  Returns false if that would remove the
 * step `own`. */
static bool leave_out(struct hd_reversal *r, uint32_t at, uint32_t own)
{
    uint32_t holder = r->index[at];
    uint32_t n = at;

    for (uint32_t i = at; i < r->nv; i++) {
        if (!hd_trace_before(r->trace, holder, r->index[i]))
            r->index[n++] = r->index[i];
        else if (r->index[i] == own)
            return false;
    }
    r->nv = n;
    return true;
}

/* left_by and found_by return hashes of the values that an atomic operation left in its location and found
 * there; 0: unknown.  A write keeps the value that it found in obj2, which then names no object; a
 * compare-and-swap keeps the expected value there. */
static uint32_t left_by(const struct hd_event *e)
{
    return hd_event_value_hash(e->value);
}

static uint32_t found_by(const struct hd_event *e)
{
    bool read_only = e->kind == HD_EV_ATOMIC_LOAD || e->kind == HD_EV_FUTEX_WAIT || e->kind == HD_EV_TX_READ ||
                     e->flags & HD_EVF_FAILED;

    return read_only ? left_by(e) : e->obj2;
}

/* True if the events determine the location's value at any time; *initial is its first value.  They do not if
 * an operation found a value other than the one that the previous operation left: then a write was not recorded
 * as an event, or accesses overlap. */
static bool find_values(const struct hd_trace *t, const struct hd_event *op, uint32_t *initial)
{
    uint32_t left = 0;

    *initial = 0;
    for (uint32_t i = 0; i < t->exec->nevents; i++) {
        const struct hd_event *e = &t->exec->events[i];

        if (e->obj != op->obj || e->kind == HD_EV_TOUCH || e->kind == HD_EV_PLAIN_READ)
            continue;
        if (e->kind == HD_EV_PLAIN_WRITE)
            return false;
        uint32_t found = found_by(e);

        if (left == 0)
            *initial = found;
        if (found == 0 || (left != 0 && found != left) ||
            (e->flags ^ op->flags) >> HD_EVF_SIZE_SHIFT != 0)
            return false;
        left = left_by(e);
    }
    return true;
}

/* Like find_values, but computed only once per execution for each location, size and length of the trace. */
static bool values_tell(struct hd_reversal *r, const struct hd_event *op, uint32_t *initial)
{
    const struct hd_execution *x = r->trace->exec;
    struct hd_reversal_values *v = &r->values[op->obj % HD_REVERSAL_VALUES];
    uint8_t size = (uint8_t)(op->flags >> HD_EVF_SIZE_SHIFT);

    if (v->index != x->index + 1 || v->nevents != x->nevents || v->obj != op->obj || v->size != size) {
        v->index = 0;
        atomic_signal_fence(memory_order_release);
        v->tell = find_values(r->trace, op, &v->initial);
        v->nevents = x->nevents;
        v->obj = op->obj;
        v->size = size;
        atomic_signal_fence(memory_order_release);
        v->index = x->index + 1;
    }
    *initial = v->initial;
    return v->tell;
}

/* True if the compare-and-swap would fail.  If the values are unknown it is assumed to succeed, because then it
 * conflicts with more steps: at worst something is explored twice. */
static bool swap_fails(struct hd_reversal *r, const struct hd_racer *racer)
{
    const struct hd_event *op = racer->op;
    uint32_t initial;

    if (op->kind != HD_EV_ATOMIC_CAS || op->obj2 == 0 || !values_tell(r, op, &initial))
        return false;
    return op->obj2 != (r->lock.sync.known ? hd_event_value_hash(r->lock.value) : initial);
}

/* Returns the condition wait with which the step ends, or NULL. */
static const struct hd_event *wait_of(const struct hd_trace *t, uint32_t step)
{
    const struct hd_trace_step *s = &t->step[step];

    for (uint32_t i = s->nevents; i > 0; i--)
        if (t->exec->events[s->event + i - 1].kind == HD_EV_COND_WAIT)
            return &t->exec->events[s->event + i - 1];
    return NULL;
}

struct hd_event hd_reversal_normal(const struct hd_trace *t, const struct hd_racer *racer)
{
    struct hd_event op = *racer->op;
    op.flags &= (uint8_t)~HD_EVF_FAILED;
    if (op.kind == HD_EV_FUTEX_TIMEOUT)
        op.kind = HD_EV_FUTEX_WAKEUP;
    if (op.kind == HD_EV_COND_TIMEOUT && racer->before != HD_NO_STEP) {
        const struct hd_event *wait = wait_of(t, racer->before);

        op.kind = wait != NULL ? HD_EV_COND_WAKE : op.kind;
        op.obj = wait != NULL ? wait->obj : op.obj;
    }
    return ends_wait((enum hd_kind)op.kind) ? op : *racer->op;
}

/* Turns the operation into its timeout. */
static void make_timeout(struct hd_event *op)
{
    uint32_t queue = hd_event_queue(op);

    op->kind = op->kind == HD_EV_COND_WAKE ? HD_EV_COND_TIMEOUT : HD_EV_FUTEX_TIMEOUT;
    op->obj = queue;
    op->obj2 = queue + 1;
}

/* Predicts the step of the operation: its own accesses, given its outcome, and those of the events that
 * followed it, which most likely follow again. */
static void predict(struct hd_reversal *r, const struct hd_racer *racer, enum hd_run run)
{
    const struct hd_trace *t = r->trace;
    struct hd_event group[HD_TRACE_LONG];
    uint32_t n = 1;
    bool fails = run == HD_RUN_UNKNOWN ? swap_fails(r, racer) : run == HD_RUN_FAILS;

    group[0] = r->op;
    group[0].flags &= (uint8_t)~HD_EVF_FAILED;
    if (fails && ends_wait((enum hd_kind)r->op.kind))
        make_timeout(&group[0]);
    else if (fails)
        group[0].flags |= HD_EVF_FAILED;
    if (racer->step != HD_NO_STEP) {
        const struct hd_trace_step *s = &t->step[racer->step];

        for (uint32_t i = 0; i < s->nevents && n < HD_TRACE_LONG; i++)
            if (&t->exec->events[s->event + i] != racer->op)
                group[n++] = t->exec->events[s->event + i];
    }
    hd_step_set(&r->last, t->exec->threads[racer->tid].slot, group, n);
    /* Its accesses cannot be predicted: the step is too long, or an atomic section whose operations may have
     * other outcomes. */
    if (n == HD_TRACE_LONG || hd_kind_begins_section(r->op.kind) || r->blocks)
        r->last.flags |= HD_STEP_ALL;
}

/* ---- operations of waiting loops (model/awaits.h) ---- */

uint64_t hd_reversal_key(const struct hd_trace *t, const struct hd_event *op)
{
    const struct hd_execution *x = t->exec;

    return op >= x->events && op < x->events + x->nevents ? x->await_keys[op - x->events] : op->value;
}

static bool is_same_location(const struct hd_event *e, const struct hd_event *op)
{
    return hd_kind_has_value(e->kind) && e->obj == op->obj && (e->flags ^ op->flags) >> HD_EVF_SIZE_SHIFT == 0;
}

/* Returns the step's access to the location of op; NULL if there is none of the same kind and size.  A
 * transaction may have two, first one that reads and then one that writes; `last` selects the second. */
static const struct hd_event *same_location(const struct hd_trace *t, uint32_t step, const struct hd_event *op, bool last)
{
    const struct hd_trace_step *s = &t->step[step];
    const struct hd_event *e = hd_reversal_operation(t, step), *found = NULL;

    if (e == NULL || e->kind != HD_EV_TX_BEGIN)
        return e != NULL && is_same_location(e, op) ? e : NULL;
    for (uint32_t i = 0; i < s->nevents && (found == NULL || last); i++)
        if (is_same_location(&t->exec->events[s->event + i], op))
            found = &t->exec->events[s->event + i];
    return found;
}

uint32_t hd_reversal_value_before(const struct hd_trace *t, uint32_t step, const struct hd_event *op)
{
    const struct hd_event *e = same_location(t, step, op, false);

    return e != NULL ? found_by(e) : 0;
}

uint32_t hd_reversal_value_after(const struct hd_trace *t, uint32_t step, const struct hd_event *op)
{
    const struct hd_event *e = same_location(t, step, op, true);

    return e != NULL ? left_by(e) : 0;
}

enum hd_await_outcome hd_reversal_outcome(const struct hd_trace *t, const struct hd_event *op, uint32_t value)
{
    if (op->kind == HD_EV_ATOMIC_CAS && op->obj2 != 0 && op->obj2 == value)
        return HD_AWAIT_LEAVES; /* the compare-and-swap succeeds */
    return value == 0 ? HD_AWAIT_UNKNOWN :
           hd_await_find(t->exec->awaits, hd_reversal_key(t, op), hd_await_hashed(value));
}

/* True if the racer's operation would only begin another round of its waiting loop if it came before e.  The
 * steps of v do not matter: those that write its location happen after e. */
static bool would_go_round(struct hd_reversal *r, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_trace *t = r->trace;
    const struct hd_event *op = racer->op;

    r->untried = false;
    if (!hd_event_awaits(op))
        return false;
    r->key = hd_reversal_key(t, op);
    if (hd_kind_attempts((enum hd_kind)op->kind) || hd_reversal_operation(t, e) == NULL)
        return false; /* for an attempt at a lock see attempt_goes_round */
    r->value = hd_reversal_value_before(t, e, op);
    enum hd_await_outcome outcome = hd_reversal_outcome(t, op, r->value);

    r->untried = outcome == HD_AWAIT_UNKNOWN;
    return outcome == HD_AWAIT_GOES_ROUND;
}

/* Like would_go_round, for an attempt at a lock that fails there.  Here v matters: it may contain the step that
 * takes the lock. */
static bool attempt_goes_round(struct hd_reversal *r, const struct hd_event *op, enum hd_run run)
{
    if (run != HD_RUN_FAILS || !hd_event_awaits(op) || !hd_kind_attempts((enum hd_kind)op->kind))
        return false;
    r->value = hd_event_value_hash(HD_AWAIT_HELD);
    enum hd_await_outcome outcome = hd_reversal_outcome(r->trace, op, r->value);

    r->untried = outcome == HD_AWAIT_UNKNOWN;
    return outcome == HD_AWAIT_GOES_ROUND;
}

static bool ends_thread(const struct hd_trace *t, uint32_t step, uint32_t obj)
{
    const struct hd_trace_step *s = &t->step[step];
    const struct hd_event *last = &t->exec->events[s->event + s->nevents - 1];

    return s->nevents > 0 && last->kind == HD_EV_THREAD_END && last->obj == obj;
}

/* True for a release and the acquisition that it enables, and for a thread's step and the join that waited for
 * the thread: without e the lock is still held, or the thread still runs, whatever v leaves out.  This check
 * saves a replay in the most common cases. */
bool hd_reversal_is_impossible(const struct hd_trace *t, uint32_t step,
                               const struct hd_racer *racer)
{
    const struct hd_event *e = hd_reversal_operation(t, step), *op = racer->op;

    if (step < t->exec->fixed)
        return true;
    if (e == NULL)
        return false;
    if (op->kind == HD_EV_THREAD_JOIN)
        return ends_thread(t, step, op->obj) ||
               (e->kind == HD_EV_THREAD_START && e->obj == op->obj &&
                racer->step != HD_NO_STEP && !(op->flags & HD_EVF_FAILED));
    if (e->obj != op->obj || e->flags & HD_EVF_FAILED)
        return false;
    if (hd_lock_effect(e) != HD_LOCK_GIVES || !hd_lock_waits(op))
        return false;
    if (op->kind == HD_EV_COND_WAKE && op->aux == HD_AUX_TIMED)
        return false;
    return e->kind != HD_EV_RWLOCK_RDUNLOCK || hd_kind_info[op->kind].lock == HD_LOCK_TAKES;
}

/* Does not count the end of the process, which runs when no other thread can run.  It is the last step and
 * never part of v. */
uint32_t hd_reversal_steps(const struct hd_trace *t)
{
    const struct hd_event *op = t->nsteps > 0 ? hd_reversal_operation(t, t->nsteps - 1) : NULL;

    return t->nsteps - (op != NULL && op->kind == HD_EV_EXIT_END);
}

/* Returns the index of the first of these n ascending steps that is not before s; n if there is none. */
static uint32_t first_from(const uint32_t *index, uint32_t n, uint32_t s)
{
    uint32_t from = 0, to = n;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (index[middle] < s)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Collects in r->index all steps that do not happen after e, except the racer's. */
static void collect(struct hd_reversal *r, uint32_t e, uint32_t racer)
{
    uint32_t *index = r->index;

    hd_beside_find(&r->beside, e, hd_reversal_steps(r->trace));
    uint32_t n = r->beside.n, at = first_from(index, n, racer);

    if (at < n && index[at] == racer)
        for (n--; at < n; at++)
            index[at] = index[at + 1];
    r->nv = n;
    r->end = (n > 0 ? index[n - 1] : e) + 1;
}

bool hd_reversal_make(struct hd_reversal *r, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_trace *t = r->trace;
    enum hd_run run;

    r->fixed = true;
    if (hd_reversal_is_impossible(t, e, racer) || would_go_round(r, e, racer))
        return false;
    r->op = hd_reversal_normal(t, racer);
    if (hd_event_awaits(&r->op))
        r->op.value = r->key; /* a pending operation has its key there */
    r->fixed = runs_in_any_case(t, e, racer->op);
    collect(r, e, racer->step);
    while ((run = run_after(r, e, &r->op)) == HD_RUN_BLOCKED || attempt_goes_round(r, racer->op, run)) {
        uint32_t holder = find_holder(r, &r->op);

        if (holder == r->nv || !leave_out(r, holder, racer->before))
            return false;
    }
    if (is_held(r, e, racer, run))
        return false;
    predict(r, racer, run);
    r->fixed &= !(r->last.flags & HD_STEP_ALL);
    for (uint32_t i = 0; i < r->nv; i++)
        r->v[i] = &t->step[r->index[i]].step;
    r->v[r->nv++] = &r->last;
    return true;
}

void hd_reversal_move_earliest(struct hd_reversal *r, uint32_t step)
{
    const struct hd_trace *t = r->trace;
    uint32_t n = 0, all = r->nv - 1;

    for (uint32_t i = 0; i < all; i++)
        if (hd_trace_before(t, r->index[i], step))
            r->v[n++] = &t->step[r->index[i]].step;
    if (n == all)
        return;
    r->v[n++] = &r->last;
    for (uint32_t i = 0; i < all; i++)
        if (!hd_trace_before(t, r->index[i], step))
            r->v[n++] = &t->step[r->index[i]].step;
}

void hd_reversal_choose(struct hd_reversal *r, uint32_t e, uint16_t alt)
{
    const struct hd_trace *t = r->trace;
    const struct hd_step *taken = &t->step[e].step;

    collect(r, e, HD_NO_STEP);
    r->last = (struct hd_step){ .slot = taken->slot, .flags = HD_STEP_CHOICE, .alt = alt,
                                .n = taken->n };
    if (r->nv > 0)
        r->last.flags |= HD_STEP_OPEN;
    for (uint32_t i = r->nv; i > 0; i--)
        r->v[i] = &t->step[r->index[i - 1]].step;
    r->v[0] = &r->last;
    r->nv++;
}
