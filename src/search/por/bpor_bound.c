/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor_bound.c - the cost of an execution.  Pure memory: no libc.
 *
 * Preemptions are counted during the execution as in enumerate.c.  That suffices for the
 * strategies that bound the execution itself.  bpor-lazy bounds the cheapest execution of
 * the class.  While the execution's own count is within the bound, so is that one's;
 * otherwise the dynamic programme of minpreempt.h runs, and the count continues from the
 * cheapest sequence, as if that one had been executed. */
#include "search/por/bpor.h"

#include <stdatomic.h>

static bool yields(const void *ctx, uint32_t step)
{
    const struct hd_bpor *d = ctx;

    return d->frames[step + 1].yielded;
}

/* ---- the trace -------------------------------------------------------------------------- */

/* Reserves room for more threads than exist, because clocks are built while threads are
 * still being created. */
static void look_at(struct hd_bpor *d)
{
    const struct hd_execution *x = d->exec;

    while (d->view.nthreads < x->nthreads)
        d->view.nthreads = d->view.nthreads == 0 ? 8 : 2 * d->view.nthreads;
    d->view.index = x->index;
    d->view.events = x->events;
    d->view.nevents = x->nevents;
    for (uint32_t t = 0; t < x->nthreads; t++)
        d->view.threads[t].slot = x->threads[t].slot;
}

static void start_trace(struct hd_bpor *d)
{
    bool anew = d->building || d->trace.nthreads < d->view.nthreads;

    if (d->traced && !anew)
        return;
    if (anew)
        d->trace.valid = 0;
    d->building = true;
    atomic_signal_fence(memory_order_release);
    hd_trace_start(&d->trace, &d->view, d->traced || d->resume == UINT32_MAX ? 0 : d->resume);
    d->traced = true;
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

        f->step = hd_step_make(d->view.threads[tid].slot, &d->view.events[f->first_event],
                               after - f->first_event);
        if (!hd_trace_add(&d->trace, &f->step, tid, f->first_event, after - f->first_event))
            return false;
    }
    atomic_signal_fence(memory_order_release);
    d->building = false;
    return true;
}

/* ---- the least ----------------------------------------------------------------------------- */

static uint32_t ask(struct hd_bpor *d, uint32_t nsteps, uint32_t nthreads,
                    const struct hd_minpreempt_extra *x, const struct hd_event *pending, bool real)
{
    struct hd_minpreempt_query q = {
        .nsteps = nsteps, .nthreads = nthreads, .first = d->frames[0].last, .bound = d->bound,
        .extra = x, .pending = pending, .real = real, .yields = yields, .ctx = d };
    if (d->beat != NULL)
        ++*d->beat;
    uint32_t least = hd_minpreempt(&d->least, &q);

    d->estimated |= d->least.estimated;
    return least;
}

/* True if the step of frame f yielded.  The scheduling point does not tell this if the thread is
 * blocked afterwards, although the thread may be enabled there in an equivalent order of the steps. */
static bool has_yielded(const struct hd_bpor *d, const struct hd_bpor_frame *f)
{
    for (uint32_t i = f->first_event; i < f[1].first_event; i++)
        if (hd_kind_traits[d->exec->events[i].kind] & HD_TRAIT_YIELDS)
            return true;
    return false;
}

void hd_bpor_reckon(struct hd_bpor *d, uint32_t k, const struct hd_point *at)
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
    if (d->kind != HD_BPOR_LAZY || f->cost <= d->bound || f->alternatives != 0 ||
        !hd_bpor_trace(d, k, f->first_event))
        return;
    uint32_t least = ask(d, k, at->nthreads, NULL, at->pending, true);

    if (least > d->bound || d->least.last == HD_NO_TID)
        return;
    uint32_t step = d->trace.last_of[d->least.last];

    f->cost = least;
    f->last = d->least.last;
    f->goes_on = hd_set_has(&at->enabled, f->last) && (step == HD_NO_STEP || !yields(d, step));
}

/* Each thread's pending operation at decision k: its next operation, or the one that it
 * waits for at the end of the trace. */
static const struct hd_event *pending_at(struct hd_bpor *d, uint32_t k)
{
    const struct hd_trace *t = &d->trace;

    if (k == t->nsteps)
        return d->exec->pending;
    for (uint32_t i = 0; i < d->exec->nthreads; i++)
        d->pending[i] = d->exec->pending[i];
    for (uint32_t s = t->nsteps; s > k; s--) {
        const struct hd_event *op = hd_reversal_operation(t, s - 1);
        struct hd_event *pending = &d->pending[t->step[s - 1].tid];

        if (op != NULL)
            *pending = *op;
        else
            pending->kind = HD_EV_NONE;
    }
    return d->pending;
}

/* By the count alone. */
static bool in_bound(const struct hd_bpor *d, const struct hd_bpor_frame *f, hd_tid t)
{
    return f->cost + (f->goes_on && t != f->last) <= d->bound;
}

/* Not cached: the cost of a thread's step depends on its outcome, because a failed attempt
 * conflicts with fewer steps than a successful one. */
bool hd_bpor_may_run(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x)
{
    struct hd_bpor_frame *f = &d->frames[k];

    if (in_bound(d, f, x->tid))
        return true;
    if (d->kind == HD_BPOR_LAZY && hd_bpor_trace(d, k, f->first_event) &&
        ask(d, k, d->exec->nthreads, x, pending_at(d, k), false) <= d->bound)
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
    p->x = (struct hd_minpreempt_extra){ .step = &p->step, .other = &p->other, .tid = t, .op = op,
                                         .before = d->trace.last_of[t] };
}

bool hd_bpor_may_pick(struct hd_bpor *d, uint32_t k, hd_tid t, const struct hd_event *op)
{
    struct hd_bpor_pending p = { .x = { .tid = t } };

    if (in_bound(d, &d->frames[k], t))
        return true;
    if (d->kind == HD_BPOR_LAZY && hd_bpor_trace(d, k, d->frames[k].first_event))
        hd_bpor_pending(d, t, op, &p);
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
