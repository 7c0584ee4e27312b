/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt.c - the dynamic programme.  Pure memory: no libc.
 *
 * A cell is a cut and the thread that ran last, or no thread: then leaving it has been paid
 * for.  Costs are 0 or 1, so the cells of one cost are processed before those of the next.
 * The memory is scratch: every query starts with a new stamp. */
#include "search/por/minpreempt.h"

#include "base/check.h"
#include "base/hash.h"

#define BUCKETS (1u << 21)
#define CUT_WORDS (1u << 24)
#define MAX_BOUND 250u
#define UNKNOWN_COST 255u
#define EXTRA UINT32_MAX /* stands for the extra step */
#define NEVER 2u         /* cost of leaving a thread that must continue directly */

struct hd_minpreempt_bucket {
    uint32_t stamp;
    uint32_t cut;
};

_Static_assert(BUCKETS > HD_MINPREEMPT_CELLS, "the table is never full");

void hd_minpreempt_init(struct hd_minpreempt *m, struct hd_trace *t, struct hd_arena *arena)
{
    m->trace = t;
    if (m->at != NULL)
        return;
    m->limit = HD_MINPREEMPT_CELLS;
    m->follows = hd_arena_alloc(arena, HD_MAX_THREADS * HD_MAX_THREADS * sizeof *m->follows);
    m->extra_clock = hd_arena_alloc(arena, HD_MAX_THREADS * sizeof *m->extra_clock);
    m->touching = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *m->touching);
    m->cut = hd_arena_alloc(arena, CUT_WORDS * sizeof *m->cut);
    m->cost = hd_arena_alloc(arena, HD_MINPREEMPT_CELLS * sizeof *m->cost);
    m->bucket = hd_arena_alloc(arena, BUCKETS * sizeof *m->bucket);
    for (int i = 0; i < 2; i++)
        m->list[i] = hd_arena_alloc(arena, 2 * HD_MINPREEMPT_CELLS * sizeof *m->list[i]);
    m->due = hd_arena_alloc(arena, (HD_TRACE_STEPS + 1) * sizeof *m->due);
    m->at = hd_arena_alloc(arena, (HD_TRACE_STEPS + 1) * sizeof *m->at);
}

/* ---- the partial order ----------------------------------------------------------------- */

static uint32_t steps_of(const struct hd_minpreempt *m, hd_tid t)
{
    return m->base[t + 1] - m->base[t];
}

/* Steps by thread (counting sort). */
static void sort_by_thread(struct hd_minpreempt *m)
{
    const struct hd_minpreempt_query *q = m->q;
    uint32_t end[HD_MAX_THREADS + 1];

    for (uint32_t t = 0; t <= q->nthreads; t++)
        end[t] = 0;
    for (uint32_t s = 0; s < q->nsteps; s++)
        end[m->trace->step[s].tid]++;
    if (q->extra != NULL)
        end[q->extra->tid]++;
    m->base[0] = 0;
    for (uint32_t t = 0; t < q->nthreads; t++) {
        m->base[t + 1] = m->base[t] + end[t];
        end[t] = m->base[t];
    }
    for (uint32_t s = 0; s < q->nsteps; s++)
        m->at[end[m->trace->step[s].tid]++] = s;
    if (q->extra != NULL)
        m->at[end[q->extra->tid]] = EXTRA;
}

static void join(struct hd_minpreempt *m, uint32_t step)
{
    const uint32_t *other = hd_trace_clock(m->trace, step);

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        if (other[i] > m->extra_clock[i])
            m->extra_clock[i] = other[i];
}

/* Does step s certainly conflict with x?  Only then may it make x more expensive.  The
 * trace knows all accesses of its steps, but a step may not hold them all. */
static bool surely_conflicts(const struct hd_minpreempt *m, uint32_t s, const struct hd_step *x)
{
    const struct hd_trace_step *step = &m->trace->step[s];

    if (((step->step.flags | x->flags) & (HD_STEP_MANY | HD_STEP_ALL)) == 0 ||
        step->step.slot == x->slot)
        return hd_step_conflict(&step->step, x);
    if (x->flags & (HD_STEP_MANY | HD_STEP_ALL))
        return false;
    for (uint32_t i = step->access; i < step->access + step->naccesses; i++)
        for (unsigned k = 0; k < x->naccesses; k++)
            if (m->trace->access[i].obj == x->on[k].obj &&
                hd_access_conflict(m->trace->access[i].access, x->on[k].access))
                return true;
    return false;
}

/* Its clock includes every step that it conflicts with whatever its outcome. */
static void clock_of_extra(struct hd_minpreempt *m)
{
    const struct hd_minpreempt_extra *x = m->q->extra;

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        m->extra_clock[i] = 0;
    if (x->before != HD_NO_STEP)
        join(m, x->before);
    for (uint32_t s = 0; s < m->q->nsteps; s++)
        if (surely_conflicts(m, s, x->step) &&
            (x->other == NULL || surely_conflicts(m, s, x->other)))
            join(m, s);
}

static const uint32_t *clock_of(const struct hd_minpreempt *m, uint32_t step)
{
    return step == EXTRA ? m->extra_clock : hd_trace_clock(m->trace, step);
}

/* Are all steps that happen before t's next step in the cut? */
static bool is_next(const struct hd_minpreempt *m, const uint16_t *cut, hd_tid t)
{
    if (cut[t] == steps_of(m, t))
        return false;
    const uint32_t *clock = clock_of(m, m->at[m->base[t] + cut[t]]);

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        if (i != t && clock[i] > cut[i])
            return false;
    return true;
}

/* ---- pending operations (P1)
 * -------------------------------------------------------------- */

/* Does another thread's step happen after the last one of t?  True for the thread that
 * counts as last at the start if it has no steps. */
static bool is_behind(const struct hd_minpreempt *m, hd_tid t)
{
    uint32_t n = steps_of(m, t);

    for (uint32_t u = 0; u < m->q->nthreads && n > 0; u++)
        if (u != t && steps_of(m, (hd_tid)u) > 0 &&
            clock_of(m, m->at[m->base[u + 1] - 1])[t] >= n)
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
    if (!(hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS))
        return true;
    for (unsigned i = 0; i < s->naccesses; i++)
        if (s->on[i].obj == op->obj && s->on[i].access == HD_ACC_W)
            return true;
    return false;
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
    for (uint32_t s = 0; s < q->nsteps; s++)
        if (m->trace->step[s].tid != t && surely_after(op, &one, &other, &m->trace->step[s].step))
            follows[m->trace->step[s].tid] = m->trace->step[s].nth;
    if (q->extra != NULL && surely_after(op, &one, &other, q->extra->step) &&
        (q->extra->other == NULL || surely_after(op, &one, &other, q->extra->other)))
        follows[q->extra->tid] = steps_of(m, q->extra->tid);
}

/* Waits are not simple: they have several objects and several possible ends. */
static bool is_simple(const struct hd_event *op)
{
    bool blocks = hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS;

    return op->kind != HD_EV_NONE && op->kind != HD_EV_EXIT_END && hd_event_queue(op) == 0 &&
           (!blocks || op->obj2 == 0);
}

static void look_at_pending(struct hd_minpreempt *m)
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

static bool must_wait(const struct hd_minpreempt *m, const uint16_t *cut, hd_tid t)
{
    const uint32_t *follows = &m->follows[t * m->q->nthreads];

    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (follows[u] > cut[u])
            return true;
    return false;
}

/* ---- could the thread continue?
 * ----------------------------------------------------------- */

static bool in_cut(const struct hd_minpreempt *m, const uint16_t *cut, uint32_t step)
{
    const struct hd_trace_step *s = &m->trace->step[step];

    return step < m->q->nsteps && s->nth <= cut[s->tid];
}

/* Follows the chains of the objects together, the latest step first, and stores the steps of
 * the cut in `touching`, in that order. */
static uint32_t gather(struct hd_minpreempt *m, const uint16_t *cut, const uint32_t *obj, unsigned n)
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

/* The steps of a cut in the order of the trace are one of the sequences that lead to it,
 * and all of them leave the objects in the same state. */
static bool can_run(struct hd_minpreempt *m, const uint16_t *cut, const struct hd_racer *racer)
{
    const struct hd_trace *t = m->trace;
    struct hd_event op = hd_reversal_normal(t, racer);

    if (!(hd_kind_traits[op.kind] & HD_TRAIT_BLOCKS))
        return true;
    uint32_t lock = hd_event_lock(&op), queue = hd_event_queue(&op);
    uint32_t obj[3] = { lock, queue, queue + 1 };
    uint32_t n = lock == 0 ? gather(m, cut, obj + 1, 2) : gather(m, cut, obj, queue == 0 ? 1 : 3);

    hd_automaton_reset(&m->lock, t->nthreads);
    hd_automaton_reset(&m->queue, t->nthreads);
    feed(m, lock, queue, 0, t->nsteps > 0 ? t->step[0].event : 0);
    while (n-- > 0)
        feed(m, lock, queue, t->step[m->touching[n]].event, t->step[m->touching[n]].nevents);
    return hd_automaton_run(&m->lock, &m->queue, &op) != HD_RUN_BLOCKED;
}

static struct hd_racer next_operation(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    const struct hd_minpreempt_query *q = m->q;
    struct hd_racer r = { .tid = t, .step = HD_NO_STEP, .before = HD_NO_STEP };

    if (done > 0)
        r.before = m->at[m->base[t] + done - 1];
    if (done == steps_of(m, t)) {
        bool counts = q->real ? q->pending[t].kind != HD_EV_NONE : hd_set_has(&m->awaits, t);

        r.op = counts ? &q->pending[t] : NULL;
        return r;
    }
    uint32_t step = m->at[m->base[t] + done];

    if (step == EXTRA) {
        r.before = q->extra->before;
        r.op = q->extra->op;
        return r;
    }
    r.step = step;
    r.before = m->trace->step[step].before;
    r.op = hd_reversal_operation(m->trace, step);
    return r;
}

/* Does the event neither give anything back nor make anything possible?  Then no operation
 * that is blocked becomes enabled by it. */
static bool enables_nothing(const struct hd_event *e)
{
    enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;

    return hd_event_queue(e) == 0 &&
           (change == HD_CHANGE_NONE || change == HD_CHANGE_OWN || change == HD_CHANGE_READ_IN ||
            change == HD_CHANGE_DOWN || change == HD_CHANGE_VALUE || change == HD_CHANGE_FORGET);
}

static bool step_enables_nothing(const struct hd_minpreempt *m, uint32_t step)
{
    if (step == EXTRA)
        return !(m->q->extra->step->flags & (HD_STEP_MANY | HD_STEP_ALL)) &&
               enables_nothing(m->q->extra->op);
    const struct hd_trace_step *s = &m->trace->step[step];

    for (uint32_t i = 0; i < s->nevents; i++)
        if (!enables_nothing(&m->trace->exec->events[s->event + i]))
            return false;
    return true;
}

/* P4. */
static bool must_go_on(const struct hd_minpreempt *m, const uint16_t *cut, hd_tid t)
{
    uint32_t done = cut[t];

    if (done == steps_of(m, t) || !is_next(m, cut, t))
        return false;
    if (done > 0 && m->q->yields(m->q->ctx, m->at[m->base[t] + done - 1]))
        return false;
    return step_enables_nothing(m, m->at[m->base[t] + done]);
}

/* 0, 1, or NEVER: a choice directly follows its step. */
static uint32_t price_of_leaving(struct hd_minpreempt *m, const uint16_t *cut, hd_tid t)
{
    const struct hd_minpreempt_query *q = m->q;
    uint32_t done = cut[t];
    struct hd_racer next = next_operation(m, t, done);

    if (next.step != HD_NO_STEP && m->trace->step[next.step].step.flags & HD_STEP_CHOICE)
        return done > 0 ? NEVER : 0;
    if (next.op == NULL || (done == steps_of(m, t) && !q->real && !must_wait(m, cut, t)))
        return 0;
    if (done > 0 && q->yields(q->ctx, m->at[m->base[t] + done - 1]))
        return 0;
    return is_next(m, cut, t) || can_run(m, cut, &next);
}

/* ---- the lower bound --------------------------------------------------------------------- */

/* Must a step of another thread come between this step and the next one of its thread?
 * Then every sequence leaves the thread there. */
static bool is_interrupted(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    const uint32_t *next = clock_of(m, m->at[m->base[t] + done]);

    for (uint32_t u = 0; u < m->q->nthreads; u++) {
        if (u == t || next[u] == 0)
            continue;
        if (clock_of(m, m->at[m->base[u] + next[u] - 1])[t] >= done)
            return true;
    }
    return false;
}

/* Is leaving t after so many steps necessary, and a preemption wherever that is? */
static bool is_compulsory(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    const struct hd_minpreempt_query *q = m->q;
    struct hd_racer next = next_operation(m, t, done);

    if (next.op == NULL || q->yields(q->ctx, m->at[m->base[t] + done - 1]))
        return false;
    struct hd_event op = hd_reversal_normal(m->trace, &next);

    return !(hd_kind_traits[op.kind] & HD_TRAIT_BLOCKS) && is_interrupted(m, t, done);
}

/* Counts them, and notes for each step how many its thread has afterwards. */
static uint32_t compulsory(struct hd_minpreempt *m)
{
    uint32_t all = 0;

    for (uint32_t t = 0; t < m->q->nthreads; t++) {
        uint32_t *due = &m->due[m->base[t]], n = 0;

        for (uint32_t done = steps_of(m, (hd_tid)t); done > 0; done--) {
            due[done - 1] = n;
            n += done > 1 && is_compulsory(m, (hd_tid)t, done - 1);
        }
        all += n;
    }
    return all;
}

/* Preemptions that are still to come after the cut; that of leaving the last thread at the
 * cut may have been paid for. */
static uint32_t still_due(const struct hd_minpreempt *m, const uint16_t *cut)
{
    uint32_t n = 0;

    for (uint32_t t = 0; t < m->q->nthreads; t++)
        n += cut[t] < steps_of(m, (hd_tid)t) ? m->due[m->base[t] + cut[t]] : 0;
    return n;
}

/* ---- cells ------------------------------------------------------------------------------- */

static bool same_cut(const uint16_t *a, const uint16_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Number of the cut; UINT32_MAX if there are too many. */
static uint32_t find_cut(struct hd_minpreempt *m, const uint16_t *cut)
{
    uint32_t n = m->q->nthreads;
    uint64_t h = 0;

    for (uint32_t i = 0; i < n; i++)
        h = hd_hash_mix(h, cut[i]);
    uint32_t b = (uint32_t)(h % BUCKETS);

    while (m->bucket[b].stamp == m->stamp) {
        if (same_cut(&m->cut[(uint64_t)m->bucket[b].cut * n], cut, n))
            return m->bucket[b].cut;
        b = (b + 1) % BUCKETS;
    }
    if ((uint64_t)(m->ncuts + 1) * (n + 1) > m->limit || (uint64_t)(m->ncuts + 1) * n > CUT_WORDS)
        return UINT32_MAX;
    m->bucket[b] = (struct hd_minpreempt_bucket){ m->stamp, m->ncuts };
    for (uint32_t i = 0; i < n; i++)
        m->cut[(uint64_t)m->ncuts * n + i] = cut[i];
    for (uint32_t i = 0; i <= n; i++)
        m->cost[m->ncuts * (n + 1) + i] = UNKNOWN_COST;
    return m->ncuts++;
}

/* The cell is reachable at this cost, which is `more` above the current cost. */
static void reach(struct hd_minpreempt *m, uint32_t cell, uint32_t cost, uint32_t more)
{
    if (m->cost[cell] <= cost)
        return;
    m->cost[cell] = (uint8_t)cost;
    more ^= m->now;
    m->list[more][m->nlist[more]++] = cell;
}

static bool go_on(struct hd_minpreempt *m, uint32_t from, hd_tid t, uint32_t cost)
{
    uint32_t n = m->q->nthreads;
    uint16_t cut[HD_MAX_THREADS];

    for (uint32_t i = 0; i < n; i++)
        cut[i] = m->cut[(uint64_t)from * n + i];
    if (!is_next(m, cut, t))
        return true;
    do {
        cut[t]++;
        m->work++;
    } while (must_go_on(m, cut, t));
    if (cost + still_due(m, cut) > m->q->bound)
        return true;
    uint32_t to = find_cut(m, cut);

    if (to == UINT32_MAX)
        return false;
    reach(m, to * (n + 1) + t, cost, 0);
    return true;
}

static bool is_whole(const struct hd_minpreempt *m, uint32_t cut)
{
    uint32_t n = m->q->nthreads;

    for (uint32_t t = 0; t < n; t++)
        if (m->cut[(uint64_t)cut * n + t] != steps_of(m, (hd_tid)t))
            return false;
    return true;
}

/* False if there are too many cuts. */
static bool expand(struct hd_minpreempt *m, uint32_t cell, uint32_t cost)
{
    uint32_t n = m->q->nthreads;
    uint32_t cut = cell / (n + 1), who = cell % (n + 1);

    if (who < n) {
        if (must_go_on(m, &m->cut[(uint64_t)cut * n], (hd_tid)who)) /* at the start */
            return go_on(m, cut, (hd_tid)who, cost);
        uint32_t price = price_of_leaving(m, &m->cut[(uint64_t)cut * n], (hd_tid)who);

        if (price != NEVER && cost + price <= m->q->bound)
            reach(m, cut * (n + 1) + n, cost + price, price);
        return go_on(m, cut, (hd_tid)who, cost);
    }
    for (uint32_t t = 0; t < n; t++)
        if (!go_on(m, cut, (hd_tid)t, cost))
            return false;
    return true;
}

/* Process all cells of this cost.  1: the complete order is among them; 0: it is not; -1:
 * too many cuts. */
static int one_cost(struct hd_minpreempt *m, uint32_t cost)
{
    uint32_t n = m->q->nthreads;

    while (m->nlist[m->now] > 0) {
        uint32_t cell = m->list[m->now][--m->nlist[m->now]];

        if (m->cost[cell] != cost)
            continue; /* reached at a lower cost */
        if (cell % (n + 1) < n && is_whole(m, cell / (n + 1))) {
            m->last = (hd_tid)(cell % (n + 1));
            return 1;
        }
        if (!expand(m, cell, cost))
            return -1;
    }
    m->now ^= 1;
    return 0;
}

static uint32_t programme(struct hd_minpreempt *m)
{
    uint16_t none[HD_MAX_THREADS] = { 0 };

    m->ncuts = m->now = m->nlist[0] = m->nlist[1] = 0;
    m->stamp++;
    uint32_t start = find_cut(m, none);

    if (start == UINT32_MAX)
        return UINT32_MAX;
    reach(m, start * (m->q->nthreads + 1) + m->q->first, 0, 0);
    for (uint32_t cost = 0; cost <= m->q->bound; cost++) {
        int found = one_cost(m, cost);

        if (found != 0)
            return found > 0 ? cost : UINT32_MAX;
    }
    return m->q->bound + 1;
}

static bool fits(const struct hd_minpreempt *m)
{
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        if (steps_of(m, (hd_tid)t) > UINT16_MAX)
            return false;
    return m->q->bound <= MAX_BOUND;
}

uint32_t hd_minpreempt(struct hd_minpreempt *m, const struct hd_minpreempt_query *q)
{
    HD_INVARIANT(q->nsteps <= m->trace->nsteps && q->nthreads <= m->trace->nthreads,
                 "a query about more than the trace has");
    m->q = q;
    m->estimated = false;
    m->last = HD_NO_TID;
    sort_by_thread(m);
    if (q->extra != NULL)
        clock_of_extra(m);
    look_at_pending(m);
    uint32_t least = compulsory(m);

    if (least > q->bound)
        return q->bound + 1;
    uint32_t exact = fits(m) ? programme(m) : UINT32_MAX;

    m->estimated = exact == UINT32_MAX;
    return m->estimated ? least : exact;
}
