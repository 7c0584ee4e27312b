/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_price.c - what leaving a thread costs: could it continue?  Pure memory: no libc. */
#include "search/por/minpreempt_cut.h"

/* ---- pending operations (P1)
 * -------------------------------------------------------------- */

/* Does another thread's step happen after the last one of t?  True for the thread that
 * counts as last at the start if it has no steps. */
static bool is_behind(const struct hd_minpreempt *m, hd_tid t)
{
    uint32_t n = hd_cut_steps_of(m, t);

    for (uint32_t u = 0; u < m->q->nthreads && n > 0; u++)
        if (u != t && hd_cut_steps_of(m, (hd_tid)u) > 0 &&
            hd_cut_clock(m, hd_cut_step(m, (hd_tid)u, hd_cut_steps_of(m, (hd_tid)u) - 1))[t] >= n)
            return true;
    return n == 0 && t == m->q->first;
}

/* Does op certainly come after s?  An operation that is always enabled must conflict with s
 * whatever its outcome.  For one that blocks on a single object, s must write that object,
 * so that every step that could disable the operation comes after s too. */
static bool surely_after(const struct hd_event *op, const struct hd_step *one,
                         const struct hd_step *other, const struct hd_step *s)
{
    if (s->flags & (HD_STEP_MANY | HD_STEP_ALL)) /* the conflict may be an approximation */
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

/* Steps before a write of the object that is noted need not be: they come before it. */
static void note_accesses(struct hd_minpreempt *m, hd_tid t, const struct hd_step *one,
                          const struct hd_step *other, struct hd_access_of on)
{
    const struct hd_trace *trace = m->trace;
    uint32_t *follows = &m->follows[t * m->q->nthreads];

    for (uint32_t i = hd_cut_last_conflict(m, on); i != 0;) {
        const struct hd_trace_access *a = &trace->access[i - 1];
        const struct hd_trace_step *s = &trace->step[a->step];

        if (s->tid != t && surely_after(&m->q->pending[t], one, other, &s->step)) {
            if (s->nth > follows[s->tid])
                follows[s->tid] = s->nth;
            if (a->access == HD_ACC_W)
                return;
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

/* Waits are not simple: they have several objects and several possible ends. */
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

/* Does a step that happens after the thread's last one certainly come before its pending operation? */
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

static bool must_wait(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    const uint32_t *follows = &m->follows[t * m->q->nthreads];

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (follows[u] > cut[u])
            return true;
    return false;
}

/* ---- could the thread continue?
 * ----------------------------------------------------------- */

static bool in_cut(const struct hd_minpreempt *m, const uint32_t *cut, uint32_t step)
{
    const struct hd_trace_step *s = &m->trace->step[step];

    return step < m->q->nsteps && s->nth <= cut[s->tid];
}

/* Follows the chains of the objects together, the latest step first, and stores the steps of
 * the cut in `touching`, in that order. */
static uint32_t gather(struct hd_minpreempt *m, const uint32_t *cut, const uint32_t *obj, unsigned n)
{
    const struct hd_trace_access *access = m->trace->access;
    uint32_t chain[3], found = 0;

    for (unsigned i = 0; i < n; i++)
        chain[i] = hd_trace_last_access(m->trace, obj[i]);
    for (;;) {
        uint32_t step = 0; /* + 1 */

        for (unsigned i = 0; i < n; i++)
            if (chain[i] != 0 && access[chain[i] - 1].step >= step)
                step = access[chain[i] - 1].step + 1;
        if (step == 0)
            return found;
        for (unsigned i = 0; i < n; i++)
            while (chain[i] != 0 && access[chain[i] - 1].step + 1 == step)
                chain[i] = access[chain[i] - 1].previous;
        if (in_cut(m, cut, step - 1))
            m->touching[found++] = step - 1;
        m->work++;
    }
}

static void feed(struct hd_minpreempt *m, uint32_t lock, uint32_t queue, uint32_t from, uint32_t n)
{
    for (uint32_t i = from; i < from + n; i++) {
        const struct hd_event *e = &m->trace->exec->events[i];

        if (lock != 0 && e->obj == lock && hd_event_lock(e) == lock)
            hd_automaton_lock_event(&m->lock, e);
        if (queue != 0 && hd_event_queue(e) == queue)
            hd_automaton_queue_event(&m->queue, e);
    }
}

/* Does one of these events, the latest that takes or releases the lock, take it? */
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

/* Is the lock, which only one thread can hold, free after the cut?  The latest step decides. */
static bool is_free(struct hd_minpreempt *m, const uint32_t *cut, uint32_t lock)
{
    const struct hd_trace *t = m->trace;
    bool takes;

    for (uint32_t i = hd_trace_last_access(t, lock); i != 0; i = t->access[i - 1].previous) {
        const struct hd_trace_step *s = &t->step[t->access[i - 1].step];

        m->work++;
        if (in_cut(m, cut, t->access[i - 1].step) && last_takes(m, lock, s->event, s->nevents, &takes))
            return !takes;
    }
    return t->nsteps == 0 || !last_takes(m, lock, 0, t->step[0].event, &takes) || !takes;
}

/* P6: the value of the operation's location after the cut; 0: unknown. */
static uint32_t value_at(struct hd_minpreempt *m, const uint32_t *cut, const struct hd_event *op)
{
    const struct hd_trace *t = m->trace;
    uint32_t first = HD_NO_STEP;

    for (uint32_t i = hd_trace_last_access(t, op->obj); i != 0; i = t->access[i - 1].previous) {
        m->work++;
        first = t->access[i - 1].step;
        uint32_t value = in_cut(m, cut, first) ? hd_reversal_value_after(t, first, op) : 0;

        if (value != 0 || (in_cut(m, cut, first) && t->access[i - 1].access != HD_ACC_R))
            return value;
    }
    return first != HD_NO_STEP ? hd_reversal_value_before(t, first, op) : 0;
}

/* P6.  fails: whether an attempt at a lock would fail. */
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

/* The steps of a cut in the order of the trace are one of the sequences that lead to it,
 * and all of them leave the objects in the same state. */
static bool can_run(struct hd_minpreempt *m, const uint32_t *cut, const struct hd_racer *racer)
{
    const struct hd_trace *t = m->trace;
    struct hd_event op = hd_reversal_normal(t, racer);

    bool attempt = hd_kind_attempts((enum hd_kind)op.kind), awaits = hd_event_awaits(&op);

    if (awaits && !attempt)
        return leaves(m, cut, racer->op, false);
    if (!(hd_kind_traits[op.kind] & HD_TRAIT_BLOCKS) && !awaits)
        return true;
    uint32_t lock = hd_event_lock(&op), queue = hd_event_queue(&op);

    if (queue == 0 && (enum hd_when)hd_kind_info[op.kind].when == HD_WHEN_FREE)
        return is_free(m, cut, lock) || (awaits && leaves(m, cut, racer->op, true));
    uint32_t obj[3] = { lock, queue, queue + 1 };
    uint32_t n = lock == 0 ? gather(m, cut, obj + 1, 2) : gather(m, cut, obj, queue == 0 ? 1 : 3);

    hd_automaton_reset(&m->lock, t->nthreads);
    hd_automaton_reset(&m->queue, t->nthreads);
    feed(m, lock, queue, 0, t->nsteps > 0 ? t->step[0].event : 0);
    while (n-- > 0)
        feed(m, lock, queue, t->step[m->touching[n]].event, t->step[m->touching[n]].nevents);
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
    if (next.op == NULL || (done == hd_cut_steps_of(m, t) && !q->real && !must_wait(m, cut, t)))
        return 0;
    if (done > 0 && hd_cut_yields(m, hd_cut_step(m, t, done - 1)))
        return 0;
    return hd_cut_is_next(m, cut, t) || can_run(m, cut, &next);
}
