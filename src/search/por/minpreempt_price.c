/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_price.c - computes the cost of leaving a thread at a cut, which is 1 if the thread could continue
 * there.  Makes no libc calls. */
#include "search/por/minpreempt_cut.h"

/* ---- pending operations (P1) ---- */

/* True if another thread's step happens after the last step of t, or if t has no steps and counts as having run
 * last at the start. */
static bool is_behind(const struct hd_minpreempt *m, hd_tid t)
{
    uint32_t n = hd_cut_steps_of(m, t);

    for (uint32_t u = 0; u < m->q->nthreads && n > 0; u++)
        if (u != t && hd_cut_steps_of(m, (hd_tid)u) > 0 &&
            hd_cut_clock(m, hd_cut_step(m, (hd_tid)u, hd_cut_steps_of(m, (hd_tid)u) - 1))[t] >= n)
            return true;
    return n == 0 && t == m->q->first;
}

/* True if operation op certainly comes after step s.  If op never blocks, it must conflict with s whatever its
 * outcome (`one` and `other` are its two outcomes).  If it blocks on a single object, s must also write that
 * object, so that every step that could disable op comes after s too. */
static bool surely_after(const struct hd_event *op, const struct hd_step *one,
                         const struct hd_step *other, const struct hd_step *s)
{
    if (s->flags & (HD_STEP_MANY | HD_STEP_ALL)) /* the conflict may not be real: the step does not list its
                                                  * accesses */
        return false;
    if (!hd_step_conflict(s, one) || !hd_step_conflict(s, other))
        return false;
    if (!(hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS) && !hd_event_awaits(op))
        return true;
    for (unsigned i = 0; i < s->naccesses; i++)
        if (s->on[i].obj == op->obj && s->on[i].access == HD_ACC_W)
            return true;
    return false;
}

/* Records in m->follows the conflicting steps that must come before the pending operation of t.  Steps before a
 * recorded write to the object are implied by it, and so are steps that happen before the thread's last step. */
static void note_accesses(struct hd_minpreempt *m, hd_tid t, const struct hd_step *one,
                          const struct hd_step *other, struct hd_access_of on)
{
    const struct hd_trace *trace = m->trace;
    uint32_t *follows = &m->follows[t * m->q->nthreads];
    struct hd_trace_followed noted = HD_TRACE_FOLLOWS_NONE;
    uint32_t last = m->known[t] > 0 ? hd_cut_step(m, t, m->known[t] - 1) : HD_NO_STEP;

    for (uint32_t i = hd_cut_last_conflict(m, on); i != 0;) {
        const struct hd_trace_access *a = &trace->access[i - 1];
        const struct hd_trace_step *s = &trace->step[a->step];
        bool known = hd_trace_before(trace, a->step, last);

        if (hd_trace_follows_rest(&noted, a))
            return;
        if (known || surely_after(&m->q->pending[t], one, other, &s->step)) {
            if (!known && s->nth > follows[s->tid])
                follows[s->tid] = s->nth;
            if (a->access == HD_ACC_W)
                return;
            hd_trace_follow(trace, &noted, a);
        }
        i = hd_cut_conflict(m, a->previous, on);
    }
}

static void note_follows(struct hd_minpreempt *m, hd_tid t, uint16_t slot)
{
    const struct hd_minpreempt_query *q = m->q;
    const struct hd_event *op = &q->pending[t];
    struct hd_event failed = *op;
    uint32_t *follows = &m->follows[t * q->nthreads];

    failed.flags ^= HD_EVF_FAILED;
    struct hd_step one = hd_step_make(slot, op, 1), other = hd_step_make(slot, &failed, 1);

    for (uint32_t u = 0; u < q->nthreads; u++)
        follows[u] = 0;
    for (unsigned i = 0; i < one.naccesses; i++)
        note_accesses(m, t, &one, &other, one.on[i]);
    if (q->extra != NULL && surely_after(op, &one, &other, q->extra->step) &&
        (q->extra->other == NULL || surely_after(op, &one, &other, q->extra->other)))
        follows[q->extra->tid] = hd_cut_steps_of(m, q->extra->tid);
}

/* True if the operation has only one object.  Waits are not simple: they have several objects, and several ways
 * to end. */
static bool is_simple(const struct hd_event *op)
{
    bool blocks = hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS;

    return op->kind != HD_EV_NONE && op->kind != HD_EV_EXIT_END && hd_event_queue(op) == 0 &&
           (!blocks || op->obj2 == 0);
}

void hd_cut_look_at_pending(struct hd_minpreempt *m)
{
    const struct hd_minpreempt_query *q = m->q;

    hd_set_clear(&m->awaits);
    for (uint32_t t = 0; t < q->nthreads && !q->real && q->pending != NULL; t++) {
        if ((q->extra != NULL && q->extra->tid == t) || !is_simple(&q->pending[t]) ||
            !is_behind(m, (hd_tid)t))
            continue;
        hd_set_add(&m->awaits, t);
        note_follows(m, (hd_tid)t, m->trace->exec->threads[t].slot);
    }
}

/* True if a step that happens after the last step of t certainly comes before its pending operation. */
static bool is_overtaken(const struct hd_minpreempt *m, hd_tid t)
{
    const uint32_t *follows = &m->follows[t * m->q->nthreads];

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (follows[u] > 0 && u != t &&
            hd_cut_clock(m, hd_cut_step(m, (hd_tid)u, follows[u] - 1))[t] >= hd_cut_steps_of(m, t))
            return true;
    return false;
}

bool hd_cut_end_is_due(const struct hd_minpreempt *m, hd_tid t)
{
    uint32_t n = hd_cut_steps_of(m, t);
    struct hd_racer next = { .op = NULL };

    if (n > 0 && m->q->pending != NULL)
        next = hd_cut_next_operation(m, t, n);
    if (next.op == NULL || !(m->q->real ? is_behind(m, t) : is_overtaken(m, t)) ||
        hd_cut_yields(m, next.before))
        return false;
    struct hd_event op = hd_reversal_normal(m->trace, &next);

    return hd_thread_steps_runs_after(&m->steps, next.before, &op);
}

bool hd_cut_must_wait(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    const uint32_t *follows = &m->follows[t * m->q->nthreads];

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (follows[u] > cut[u])
            return true;
    return false;
}

/* ---- could the thread continue? ---- */

/* Returns 1 + the latest access to the object in the cut; 0 if there is none. */
static uint32_t latest_in_cut(struct hd_minpreempt *m, const uint32_t *cut, uint32_t obj)
{
    m->work++;
    return hd_chains_in_cut(&m->chains, hd_chains_before(&m->chains, obj, m->q->nsteps), cut);
}

static uint32_t first_event(const struct hd_trace *t, uint32_t step)
{
    if (step < t->nsteps)
        return t->step[step].event;
    return step > 0 ? t->step[step - 1].event + t->step[step - 1].nevents : 0;
}

/* Returns a step such that the cut contains all accesses to the object before it. */
static uint32_t whole_until(struct hd_minpreempt *m, const uint32_t *cut, uint32_t obj)
{
    uint32_t last = hd_chains_before(&m->chains, obj, m->q->nsteps);
    uint32_t whole = hd_chains_whole(&m->chains, hd_chains_in_cut(&m->chains, last, cut));

    if (whole == last)
        return m->q->nsteps;
    return whole != 0 ? m->trace->access[whole - 1].step + 1 : 0;
}

/* Stores in m->touching those steps of the cut, from step `from` on, that access objects obj to obj + n - 1,
 * latest first.  Returns their number. */
static uint32_t gather(struct hd_minpreempt *m, const uint32_t *cut, uint32_t obj, unsigned n, uint32_t from)
{
    const struct hd_trace_access *access = m->trace->access;
    uint32_t chain[2], found = 0;

    for (unsigned i = 0; i < n; i++)
        chain[i] = latest_in_cut(m, cut, obj + i);
    for (;;) {
        uint32_t step = 0; /* 1 + the latest of these steps; 0: none */

        for (unsigned i = 0; i < n; i++)
            if (chain[i] != 0 && access[chain[i] - 1].step >= step)
                step = access[chain[i] - 1].step + 1;
        if (step <= from)
            return found;
        for (unsigned i = 0; i < n; i++)
            while (chain[i] != 0 && access[chain[i] - 1].step + 1 == step)
                chain[i] = hd_chains_in_cut(&m->chains, access[chain[i] - 1].previous, cut);
        m->touching[found++] = step - 1;
        m->work++;
    }
}

/* Computes the state of an object after the cut.  All sequences with these steps leave the object in the same
 * state, so the order of the trace will do. `n` is 1 for a lock and 2 for a queue of waiters, whose tokens are
 * the object with the next number. */
static void replay(struct hd_minpreempt *m, const uint32_t *cut, uint32_t obj, unsigned n,
                   struct hd_automaton *a)
{
    const struct hd_trace *t = m->trace;
    uint32_t from = whole_until(m, cut, obj);

    for (unsigned i = 1; i < n; i++) {
        uint32_t other = whole_until(m, cut, obj + i);

        from = other < from ? other : from;
    }
    hd_history_before(m->history, n == 1 ? HD_HISTORY_LOCK : HD_HISTORY_QUEUE, obj, first_event(t, from), a);
    for (uint32_t k = from < m->q->nsteps ? gather(m, cut, obj, n, from) : 0; k > 0; k--) {
        const struct hd_trace_step *s = &t->step[m->touching[k - 1]];

        for (uint32_t i = s->event; i < s->event + s->nevents; i++) {
            const struct hd_event *e = &t->exec->events[i];

            if (n == 1 && e->obj == obj && hd_event_lock(e) == obj)
                hd_automaton_lock_event(a, e);
            if (n == 2 && hd_event_queue(e) == obj)
                hd_automaton_queue_event(a, e);
        }
    }
}

/* Finds the latest of the n events from `from` on that takes or releases the lock, and stores in *takes whether
 * it takes it.  Returns false if there is none. */
static bool last_takes(const struct hd_minpreempt *m, uint32_t lock, uint32_t from, uint32_t n, bool *takes)
{
    while (n-- > 0) {
        const struct hd_event *e = &m->trace->exec->events[from + n];
        enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;

        *takes = change == HD_CHANGE_OWN;
        if (e->obj == lock && !(e->flags & HD_EVF_FAILED) && (*takes || change == HD_CHANGE_DISOWN))
            return true;
    }
    return false;
}

/* True if the lock, which only one thread can hold, is free after the cut.  The latest step that takes or
 * releases it decides. */
static bool is_free(struct hd_minpreempt *m, const uint32_t *cut, uint32_t lock)
{
    const struct hd_trace *t = m->trace;
    uint32_t i = latest_in_cut(m, cut, lock);
    bool takes;

    for (; i != 0; i = hd_chains_in_cut(&m->chains, t->access[i - 1].previous, cut)) {
        const struct hd_trace_step *s = &t->step[t->access[i - 1].step];

        m->work++;
        if (last_takes(m, lock, s->event, s->nevents, &takes))
            return !takes;
    }
    return t->nsteps == 0 || !last_takes(m, lock, 0, t->step[0].event, &takes) || !takes;
}

/* Rule P6: returns the value of the operation's location after the cut; 0 if it is unknown. */
static uint32_t value_at(struct hd_minpreempt *m, const uint32_t *cut, const struct hd_event *op)
{
    const struct hd_trace *t = m->trace;
    uint32_t i = latest_in_cut(m, cut, op->obj);

    for (; i != 0; i = hd_chains_in_cut(&m->chains, t->access[i - 1].previous, cut)) {
        uint32_t value = hd_reversal_value_after(t, t->access[i - 1].step, op);

        m->work++;
        if (value != 0 || t->access[i - 1].access != HD_ACC_R)
            return value;
    }
    uint32_t first = hd_chains_first(&m->chains, op->obj);

    return first != 0 ? hd_reversal_value_before(t, t->access[first - 1].step, op) : 0;
}

/* Rule P6: true if the operation would leave its waiting loop. `fails` tells whether an attempt at a lock would
 * fail. */
static bool leaves(struct hd_minpreempt *m, const uint32_t *cut, const struct hd_event *op, bool fails)
{
    bool attempt = hd_kind_attempts((enum hd_kind)op->kind);
    uint32_t value = attempt ? hd_event_value_hash(HD_AWAIT_HELD) : value_at(m, cut, op);

    if (attempt && !fails)
        return true;
    enum hd_await_outcome o = hd_reversal_outcome(m->trace, op, value);

    m->unsure |= o == HD_AWAIT_UNKNOWN;
    return o == HD_AWAIT_LEAVES;
}

static bool can_run(struct hd_minpreempt *m, const uint32_t *cut, const struct hd_racer *racer)
{
    struct hd_event op = hd_reversal_normal(m->trace, racer);

    bool attempt = hd_kind_attempts((enum hd_kind)op.kind), awaits = hd_event_awaits(&op);

    if (awaits && !attempt)
        return leaves(m, cut, racer->op, false);
    if (!(hd_kind_traits[op.kind] & HD_TRAIT_BLOCKS) && !awaits)
        return true;
    uint32_t lock = hd_event_lock(&op), queue = hd_event_queue(&op);

    if (queue == 0 && (enum hd_when)hd_kind_info[op.kind].when == HD_WHEN_FREE)
        return is_free(m, cut, lock) || (awaits && leaves(m, cut, racer->op, true));
    if (lock != 0)
        replay(m, cut, lock, 1, &m->lock);
    if (queue != 0)
        replay(m, cut, queue, 2, &m->queue);
    enum hd_run run = hd_automaton_run(&m->lock, &m->queue, &op);

    return awaits ? leaves(m, cut, racer->op, run == HD_RUN_FAILS) : run != HD_RUN_BLOCKED;
}

struct hd_racer hd_cut_next_operation(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    const struct hd_minpreempt_query *q = m->q;
    struct hd_racer r = { .tid = t, .step = HD_NO_STEP, .before = HD_NO_STEP };

    if (done > 0)
        r.before = hd_cut_step(m, t, done - 1);
    if (done == hd_cut_steps_of(m, t)) {
        bool counts = q->real ? q->pending[t].kind != HD_EV_NONE : hd_set_has(&m->awaits, t);

        r.op = counts ? &q->pending[t] : NULL;
        return r;
    }
    uint32_t step = hd_cut_step(m, t, done);

    if (step == HD_CUT_EXTRA) {
        r.before = q->extra->before;
        r.op = q->extra->op;
        return r;
    }
    r.step = step;
    r.before = m->trace->step[step].before;
    r.op = hd_reversal_operation(m->trace, step);
    return r;
}

uint32_t hd_cut_price(struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    const struct hd_minpreempt_query *q = m->q;
    uint32_t done = cut[t];
    struct hd_racer next = hd_cut_next_operation(m, t, done);

    if (next.step != HD_NO_STEP && m->trace->step[next.step].step.flags & HD_STEP_CHOICE)
        return done > 0 ? HD_CUT_NEVER : 0;
    if (next.op == NULL || (done == hd_cut_steps_of(m, t) && !q->real && !hd_cut_must_wait(m, cut, t)))
        return 0;
    if (done > 0 && hd_cut_yields(m, hd_cut_step(m, t, done - 1)))
        return 0;
    return hd_cut_is_next(m, cut, t) || can_run(m, cut, &next);
}
