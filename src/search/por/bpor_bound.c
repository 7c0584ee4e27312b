/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor_bound.c - the cost of an execution: its number of preemptions.  Makes no libc calls.
 *
 * Preemptions are counted while the execution runs, as in enumerate.c.  That suffices for the strategies that
 * bound the execution itself. bpor-lazy bounds the cheapest execution of the class.  If the execution's own
 * count is within the bound, so is the cheapest one.  Otherwise minpreempt.h computes the least count, and
 * counting continues from the cheapest sequence as if that had been executed.
 *
 * Whether bpor-lazy allows a step follows from P1 of minpreempt.h: switching away from a thread is free as long
 * as its pending operation could still come directly after its last step. frame.shown is the cost of the
 * frame's sequence by this rule.  A thread that could continue when another one was chosen is not counted as
 * preempted at once, but is remembered in frame.owing.  It leaves that set uncounted when it continues, and is
 * counted when steps of other threads have conflicted both with its last step and with its pending operation.
 * Only if frame.shown exceeds the bound is minpreempt.h asked. */
#include "search/por/bpor.h"

#include <stdatomic.h>

#include "base/hash.h"

#define FEW_ACCESSES 8

bool hd_bpor_yields(const void *ctx, uint32_t step)
{
    const struct hd_bpor *d = ctx;

    return d->frames[step + 1].yielded;
}

/* ---- the trace -------------------------------------------------------------------------- */

/* Reserves room for more threads than exist so far: the trace is built while the program still creates threads. */
static void look_at(struct hd_bpor *d)
{
    const struct hd_execution *x = d->exec;

    while (d->view.nthreads < x->nthreads)
        d->view.nthreads = d->view.nthreads == 0 ? 8 : 2 * d->view.nthreads;
    d->view.index = x->index;
    d->view.events = x->events;
    d->view.nevents = x->nevents;
    d->view.await_keys = x->await_keys;
    d->view.awaits = x->awaits;
    d->view.waits = x->waits;
    for (uint32_t t = 0; t < x->nthreads; t++)
        d->view.threads[t].slot = x->threads[t].slot;
}

static void start_trace(struct hd_bpor *d)
{
    bool rebuild = d->building || d->trace.nthreads < d->view.nthreads;

    if (d->traced && !rebuild)
        return;
    if (rebuild)
        d->trace.valid = 0;
    d->building = true;
    atomic_signal_fence(memory_order_release);
    hd_trace_start(&d->trace, &d->view, d->traced || d->resume == UINT32_MAX ? 0 : d->resume);
    hd_thread_steps_keep(&d->least.steps, d->trace.nsteps);
    hd_chains_keep(&d->least.chains);
    hd_minpreempt_keep(&d->least, d->trace.nsteps);
    d->traced = true;
}

static void look_for_abandoned(struct hd_bpor *d, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        d->abandons |= d->view.events[i].kind == HD_EV_MUTEX_ABANDON;
}

bool hd_bpor_trace(struct hd_bpor *d, uint32_t n, uint32_t end)
{
    look_at(d);
    start_trace(d);
    d->building = true;
    atomic_signal_fence(memory_order_release);
    for (uint32_t k = d->trace.nsteps; k < n; k++) {
        struct hd_bpor_frame *f = &d->frames[k];
        uint32_t after = k + 1 < n ? f[1].first_event : end;
        hd_tid tid = after > f->first_event ? d->exec->events[f->first_event].tid : f->chosen;

        look_for_abandoned(d, f->first_event, after);
        f->step = hd_step_make(d->view.threads[tid].slot, &d->view.events[f->first_event],
                               after - f->first_event);
        if (!hd_trace_add(&d->trace, &f->step, tid, f->first_event, after - f->first_event))
            return false;
    }
    atomic_signal_fence(memory_order_release);
    d->building = false;
    return true;
}

/* ---- the least number of preemptions of the class ---- */

static uint32_t ask(struct hd_bpor *d, uint32_t nsteps, uint32_t nthreads,
                    const struct hd_minpreempt_extra *x, const struct hd_event *pending, bool real)
{
    struct hd_minpreempt_query q = {
        .nsteps = nsteps, .nthreads = nthreads, .first = d->frames[0].last, .bound = d->bound,
        .extra = x, .pending = pending, .real = real };
    if (d->beat != NULL)
        ++*d->beat;
    uint32_t least = hd_minpreempt(&d->least, &q);

    d->estimated |= d->least.estimated;
    return least;
}

/* True if the step of frame f yielded.  If the thread is blocked after the step, hd_point.last_yielded does not
 * tell; in an equivalent order of the steps the thread may be enabled there. */
static bool has_yielded(const struct hd_bpor *d, const struct hd_bpor_frame *f)
{
    for (uint32_t i = f->first_event; i < f[1].first_event; i++)
        if (hd_kind_traits[d->exec->events[i].kind] & HD_TRAIT_YIELDS)
            return true;
    return false;
}

/* Precondition: the steps before decision k - 1 exceed the bound in every order.  True if adding step k - 1 may
 * make them cheaper.  That is possible only if switching away from its thread is free after the step.
 * Otherwise any order with the step costs at least as much as the same order without it. */
static bool may_have_got_cheaper(const struct hd_bpor *d, uint32_t k, const struct hd_point *at)
{
    hd_tid t = d->frames[k - 1].chosen;
    struct hd_racer next = { t, HD_NO_STEP, k - 1, &at->pending[t] };

    if (d->frames[k].yielded || next.op->kind == HD_EV_NONE || next.op->kind == HD_EV_EXIT_END)
        return true;
    struct hd_event op = hd_reversal_normal(&d->trace, &next);

    return !hd_thread_steps_runs_after(&d->least.steps, k - 1, &op);
}

static bool may_conflict(const struct hd_bpor *d, hd_tid t, const struct hd_event *op,
                         const struct hd_minpreempt_extra *x)
{
    uint16_t slot = d->exec->threads[t].slot;
    struct hd_event failed = *op;

    failed.flags ^= HD_EVF_FAILED;
    struct hd_step one = hd_step_make(slot, op, 1), other = hd_step_make(slot, &failed, 1);

    return hd_step_conflict(&one, x->step) || hd_step_conflict(&other, x->step) ||
           (x->other != NULL && (hd_step_conflict(&one, x->other) || hd_step_conflict(&other, x->other)));
}

static bool may_follow(const struct hd_bpor *d, uint32_t before, const struct hd_minpreempt_extra *x)
{
    const struct hd_step *s = &d->trace.step[before].step;

    return hd_step_conflict(s, x->step) || (x->other != NULL && hd_step_conflict(s, x->other));
}

/* Returns what frame.shown would be after step x, which follows the steps before decision k, and stores in
 * *owing what frame.owing would be. */
static uint32_t shown_after(const struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x,
                            const struct hd_event *pending, struct hd_bpor_owing *owing)
{
    const struct hd_bpor_frame *f = &d->frames[k];
    uint32_t n = f->shown + hd_set_has(&f->owing.all, x->tid);

    hd_bpor_owe_same(owing, &f->owing);
    if (f->goes_on && x->tid != f->last) {
        hd_set_add(&owing->all, f->last);
        hd_set_remove(&owing->overtaken, f->last);
        hd_set_remove(&owing->followed, f->last);
    }
    hd_set_remove(&owing->all, x->tid);
    HD_SET_EACH(u, &owing->all) {
        uint32_t last = hd_trace_thread_before(&d->trace, (hd_tid)u, k);

        if (may_conflict(d, (hd_tid)u, &pending[u], x))
            hd_set_add(&owing->overtaken, u);
        if (last == HD_NO_STEP || may_follow(d, last, x))
            hd_set_add(&owing->followed, u);
        if (!hd_set_has(&owing->overtaken, u) || !hd_set_has(&owing->followed, u))
            continue;
        hd_set_remove(&owing->all, u);
        n++;
    }
    return n;
}

/* Sets frame.shown and frame.owing of decision k > 0. */
static void show(struct hd_bpor *d, uint32_t k, const struct hd_event *pending)
{
    struct hd_bpor_frame *f = &d->frames[k], *before = f - 1;
    struct hd_minpreempt_extra x = { .step = &before->step, .tid = before->chosen };
    bool leaves = before->alternatives == 0 && before->goes_on && before->chosen != before->last;

    f->shown = before->shown;
    hd_bpor_owe_same(&f->owing, &before->owing);
    if (!leaves && (before->alternatives != 0 || hd_set_is_empty(&before->owing.all)))
        return;
    if (hd_bpor_trace(d, k - 1, before->first_event))
        f->shown = shown_after(d, k - 1, &x, pending, &f->owing);
    else
        f->shown = f->cost;
}

void hd_bpor_compute_cost(struct hd_bpor *d, uint32_t k, const struct hd_point *at)
{
    struct hd_bpor_frame *f = &d->frames[k];

    f->last = at->last;
    f->goes_on = at->last_enabled && !at->last_yielded;
    f->yielded = at->last_yielded;
    f->cost = 0;
    if (k == 0)
        return;
    f->yielded |= !at->last_enabled && has_yielded(d, f - 1);
    f->cost = f[-1].cost;
    if (f[-1].alternatives == 0)
        f->cost += f[-1].goes_on && f[-1].chosen != f[-1].last;
    if (d->kind == HD_BPOR_LAZY)
        show(d, k, at->pending);
    if (d->kind != HD_BPOR_LAZY || f->cost <= d->bound || f->shown <= d->bound)
        return;
    if (!hd_bpor_trace(d, k, f->first_event))
        return;
    f->exceeds = f[-1].exceeds && !may_have_got_cheaper(d, k, at);
    if (f->exceeds || f->alternatives != 0)
        return;
    uint32_t least = ask(d, k, at->nthreads, NULL, at->pending, true);

    f->exceeds = least > d->bound && !d->least.estimated;
    if (least > d->bound || d->least.last == HD_NO_TID)
        return;
    uint32_t step = d->trace.last_of[d->least.last];

    f->cost = f->shown = least;
    hd_bpor_owe_nothing(&f->owing);
    f->last = d->least.last;
    f->goes_on = hd_set_has(&at->enabled, f->last) && (step == HD_NO_STEP || !hd_bpor_yields(d, step));
}

/* Returns the thread's first step from decision k on; HD_NO_STEP if there is none. */
static uint32_t next_step(const struct hd_bpor *d, hd_tid t, uint32_t k)
{
    if (k > 0)
        return hd_trace_thread_after(&d->trace, t, k - 1);
    return d->trace.first_of[t];
}

/* Finds the pending operation of each thread at decision k: its next operation in the trace, or the one that is
 * pending at the end of the trace. */
static const struct hd_event *pending_at(struct hd_bpor *d, uint32_t k)
{
    const struct hd_trace *t = &d->trace;

    if (k == t->nsteps)
        return hd_bpor_at_end(d);
    for (uint32_t i = 0; i < d->exec->nthreads; i++) {
        uint32_t s = next_step(d, (hd_tid)i, k);
        const struct hd_event *op = s == HD_NO_STEP ? &hd_bpor_at_end(d)[i] : hd_reversal_operation(t, s);

        if (op == NULL) {
            d->pending[i].kind = HD_EV_NONE;
            continue;
        }
        d->pending[i] = *op;
        if (hd_event_awaits(op))
            d->pending[i].value = hd_reversal_key(t, op);
    }
    return d->pending;
}

/* True if the execution's own count of preemptions allows the thread to run. */
static bool in_bound(const struct hd_bpor *d, const struct hd_bpor_frame *f, hd_tid t)
{
    return f->cost + (f->goes_on && t != f->last) <= d->bound;
}

/* True if frame.shown allows the step to run. */
static bool is_shown(const struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x,
                     const struct hd_event *pending)
{
    struct hd_bpor_owing owing;

    return d->frames[k].shown <= d->bound && shown_after(d, k, x, pending, &owing) <= d->bound;
}

/* ---- stored answers ---- */

/* Returns the table entry for a query.  The answer depends only on the steps before the frame and on the given
 * step, and every execution that shares those steps finds the same race again; so answers are stored. */
static struct hd_bpor_answer *answer_of(struct hd_bpor *d, const struct hd_bpor_frame *f,
                                        const struct hd_minpreempt_extra *x)
{
    uint64_t h = hd_hash_mix(f->born, x->tid);

    for (unsigned i = 0; i < x->step->naccesses; i++)
        h = hd_hash_mix(h, hd_access_word(x->step->on[i]));
    return &d->answer[h % HD_BPOR_ANSWERS];
}

static bool same_accesses(const struct hd_step *a, const struct hd_step *b)
{
    if (a->slot != b->slot || a->flags != b->flags || a->naccesses != b->naccesses ||
        ((a->flags | b->flags) & (HD_STEP_MANY | HD_STEP_ALL)))
        return false;
    for (unsigned i = 0; i < a->naccesses; i++)
        if (hd_access_word(a->on[i]) != hd_access_word(b->on[i]))
            return false;
    return true;
}

bool hd_bpor_same_step(const struct hd_step *a, const struct hd_event *op, const struct hd_minpreempt_extra *x)
{
    return same_accesses(a, x->step) && op->kind == x->op->kind && op->flags == x->op->flags &&
           op->obj == x->op->obj && op->obj2 == x->op->obj2;
}

static bool is_answer_to(const struct hd_bpor_answer *a, const struct hd_bpor_frame *f,
                         const struct hd_minpreempt_extra *x)
{
    return a->born == f->born && a->both == (x->other != NULL) && hd_bpor_same_step(&a->step, &a->op, x);
}

/* If a worker is killed here, it leaves a complete entry or none. */
static void note_answer(struct hd_bpor_answer *a, const struct hd_bpor_frame *f,
                        const struct hd_minpreempt_extra *x, bool may)
{
    a->born = 0;
    atomic_signal_fence(memory_order_release);
    a->step = *x->step;
    a->op = *x->op;
    a->both = x->other != NULL;
    a->may = may;
    atomic_signal_fence(memory_order_release);
    a->born = f->born;
}

/* True if the operation certainly succeeds: locking a free mutex does, unless a thread has died owning one. */
static bool will_succeed(const struct hd_bpor *d, const struct hd_event *op)
{
    return op->kind == HD_EV_MUTEX_LOCK && !hd_event_awaits(op) && !d->abandons;
}

static bool least_is_in_bound(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x)
{
    struct hd_bpor_answer *a = answer_of(d, &d->frames[k], x);
    bool awaits = hd_event_awaits(x->op); /* then the answer also depends on the thread's state, so it is not
                                           * stored */

    if (!awaits && is_answer_to(a, &d->frames[k], x))
        return a->may;
    const struct hd_event *pending = pending_at(d, k);

    if (is_shown(d, k, x, pending))
        return true;
    bool may = ask(d, k, d->exec->nthreads, x, pending, false) <= d->bound;

    if (!awaits && !d->least.estimated)
        note_answer(a, &d->frames[k], x, may);
    return may;
}

bool hd_bpor_may_run(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x)
{
    struct hd_bpor_frame *f = &d->frames[k];

    if (in_bound(d, f, x->tid))
        return true;
    if (d->kind == HD_BPOR_LAZY && hd_bpor_trace(d, k, f->first_event) && least_is_in_bound(d, k, x))
        return true;
    hd_set_add(&f->over, x->tid);
    d->pruned = true;
    return false;
}

void hd_bpor_pending(const struct hd_bpor *d, hd_tid t, const struct hd_event *op,
                     struct hd_bpor_pending *p)
{
    struct hd_event failed = *op;
    uint16_t slot = d->exec->threads[t].slot;

    failed.flags ^= HD_EVF_FAILED;
    p->step = hd_step_make(slot, op, 1);
    p->other = hd_step_make(slot, &failed, 1);
    p->x = (struct hd_minpreempt_extra){ .step = &p->step, .other = will_succeed(d, op) ? NULL : &p->other,
                                         .tid = t, .op = op, .before = d->trace.last_of[t] };
}

/* True if the thread's clock includes all accesses to the object that conflict with this one.  May return false
 * if there are many. */
static bool knows_conflicts(struct hd_bpor *d, hd_tid t, struct hd_access_of on)
{
    uint32_t i = hd_trace_last_access(&d->trace, on.obj);

    for (unsigned n = 0; i != 0 && n < FEW_ACCESSES; n++) {
        const struct hd_trace_access *a = &d->trace.access[i - 1];
        bool conflicts = hd_access_conflict(a->access, on.access);

        if (conflicts && !hd_trace_before(&d->trace, a->step, d->trace.last_of[t]))
            return false;
        if (conflicts && a->access == HD_ACC_W)
            return true;
        i = conflicts ? a->previous : a->other;
    }
    return i == 0;
}

/* True if the pending operation of another thread conflicts with the access. */
static bool others_want(const struct hd_bpor *d, hd_tid t, struct hd_access_of on)
{
    for (uint32_t u = 0; u < d->exec->nthreads; u++) {
        const struct hd_event *e = &d->exec->pending[u];
        const struct hd_kind_info *k = &hd_kind_info[e->kind];

        if (u == t || e->kind == HD_EV_NONE)
            continue;
        if (e->obj == on.obj && (hd_access_conflict(k->ok1 & 3, on.access) || k->fail1 != k->ok1))
            return true;
        if (e->obj2 == on.obj && k->acc2 != HD_ACC_N)
            return true;
    }
    return false;
}

/* True if, in every order of the steps so far, the operation may come directly after its thread's last step and
 * changes nothing that other threads can do.  Then it comes there in the cheapest order too, and switching away
 * after it costs what it cost before it (P1). */
static bool costs_nothing(struct hd_bpor *d, hd_tid t, const struct hd_event *op)
{
    struct hd_event failed = *op;
    struct hd_access_of on[4];

    failed.flags ^= HD_EVF_FAILED;
    if ((hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS) || hd_event_awaits(op) ||
        !hd_event_is_quiet(&d->trace, op) || hd_kind_begins_section(op->kind) || d->trace.last_of[t] == HD_NO_STEP)
        return false;
    unsigned n = hd_event_accesses(op, on);

    n += hd_event_accesses(&failed, on + n);
    for (unsigned i = 0; i < n; i++)
        if (!knows_conflicts(d, t, on[i]) || others_want(d, t, on[i]))
            return false;
    return true;
}

bool hd_bpor_may_pick(struct hd_bpor *d, uint32_t k, hd_tid t, const struct hd_event *op)
{
    struct hd_bpor_pending p = { .x = { .tid = t } };

    if (in_bound(d, &d->frames[k], t))
        return true;
    if (d->kind == HD_BPOR_LAZY && hd_bpor_trace(d, k, d->frames[k].first_event)) {
        hd_bpor_pending(d, t, op, &p);
        if (is_shown(d, k, &p.x, d->exec->pending) || costs_nothing(d, t, op))
            return true;
    }
    return hd_bpor_may_run(d, k, &p.x);
}

uint32_t hd_bpor_total(struct hd_bpor *d, uint32_t n, const struct hd_event *pending)
{
    const struct hd_bpor_frame *f = &d->frames[n == 0 ? 0 : n - 1];

    if (n == 0)
        return 0;
    uint32_t cost = f->cost + (f->alternatives == 0 && f->goes_on && f->chosen != f->last);

    if (d->kind != HD_BPOR_LAZY || cost < d->bound || (cost == d->bound && !d->deepens))
        return cost;
    return ask(d, n, d->exec->nthreads, NULL, pending, true);
}
