/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor_races.c - derives branches from the races of an execution.  Pure memory: no libc.
 *
 * Races are defined as in dpor.c: every step and every pending operation races with each
 * earlier conflicting access that is not in its thread's clock.  Here they are analysed
 * for all possible outcomes of their operations, and except by bpor-lazy all steps after
 * every execution.  A bounded search learns nothing from steps that it cannot run, so it must consider more:
 *
 * R1  When an execution is cut, all pending operations are checked for races, including
 *     those that only the bound disables.
 * R2  Two independent steps race if the bound allows either of them but not both
 *     (try_earlier).
 * R3  A sleeping step that exceeds the bound covers nothing.
 * R4  An operation that failed may succeed at a place outside the bound and conflict with
 *     more steps there: both outcomes are considered.
 * R5  The accesses of an atomic section are known only after it has run.  A pending section
 *     certainly conflicts with other sections, and only that may increase its cost.  It may
 *     conflict with everything, so it is analysed as if it did.
 * R6  With atomic sections bpor-source behaves like bpor.  A section conflicts for two
 *     reasons, with other sections and by its accesses: a step that leads into v for the
 *     one reason may have to come later, within the bound, for the other.
 *
 * Random programs with a missed class showed the need for R1, R2, R4, R5 and R6; R3 follows
 * from R2.  With these rules this is an ordinary partial-order reduction of a program in
 * which the bound may also disable steps: whether it does is the same for all executions of
 * a class, and a step disabled by the bound stays disabled.
 *
 * The conservative strategies bound the execution that they run.  There a step may have to
 * come earlier only to be cheaper, so they consider all earlier conflicts, including those
 * in the thread's clock and those that cannot be reversed.  Without that they missed 48 of
 * 4,012 classes of programs with mutexes. */
#include "search/por/bpor.h"

#include <stdatomic.h>

/* ---- source sets ------------------------------------------------------------------------ */

/* R5: the accesses of the operation alone. */
static const struct hd_step *certain_part(struct hd_bpor *d)
{
    hd_step_set(&d->certain, d->reversal.last.slot, &d->reversal.op, 1);
    return &d->certain;
}

/* The thread of v[i], with the known part of that step. */
static struct hd_minpreempt_extra member(struct hd_bpor *d, uint32_t i,
                                         const struct hd_racer *racer)
{
    const struct hd_reversal *r = &d->reversal;
    const struct hd_trace *t = r->trace;

    if (i + 1 == r->nv && r->last.flags & (HD_STEP_MANY | HD_STEP_ALL))
        return (struct hd_minpreempt_extra){ .step = certain_part(d), .tid = racer->tid,
                                             .before = racer->before, .op = &r->op };
    if (i + 1 == r->nv)
        return (struct hd_minpreempt_extra){ .step = r->v[i], .tid = racer->tid,
                                             .before = racer->before, .op = &r->op };
    uint32_t s = r->index[i];

    return (struct hd_minpreempt_extra){ .step = r->v[i], .tid = t->step[s].tid,
                                         .before = t->step[s].before,
                                         .op = hd_reversal_operation(t, s) };
}

/* A sleeping step was tried at an earlier frame, but its continuations after this frame
 * were not explored if it exceeds the bound here. */
static bool sleeper_may_run(struct hd_bpor *d, uint32_t e, const struct hd_step *s,
                            const struct hd_racer *racer)
{
    const struct hd_reversal *r = &d->reversal;
    uint32_t i = 0;

    while (r->v[i]->slot != s->slot)
        i++;
    struct hd_minpreempt_extra x = member(d, i, racer);

    return d->kind != HD_BPOR_LAZY || hd_bpor_may_run(d, e, &x);
}

/* Does a thread that sleeps, was tried or is to be tried at the frame lead into v?  Threads
 * that exceed the bound do not count, because nothing after them is explored. */
static bool is_covered(struct hd_bpor *d, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_bpor_frame *f = &d->frames[e];
    const struct hd_reversal *r = &d->reversal;

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (hd_step_initial(&d->sleep[f->sleep + i], r->v, r->nv) &&
            sleeper_may_run(d, e, &d->sleep[f->sleep + i], racer))
            return true;
    HD_SET_EACH(t, &f->todo) {
        struct hd_step s = { .slot = d->exec->threads[t].slot };

        if (hd_step_initial(&s, r->v, r->nv))
            return true;
    }
    /* Candidates may turn out to be independent of e. */
    return !d->stopped && hd_step_weak_initial(&f->step, r->v, r->nv);
}

/* Can v[i] come first in v? */
static bool comes_first(const struct hd_reversal *r, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (hd_step_conflict(r->v[k], r->v[i]))
            return false;
    return true;
}

static bool leads_to(const struct hd_step *s, const struct hd_step *const *v, uint32_t nv)
{
    for (uint32_t i = 0; i < nv; i++)
        if (hd_step_conflict(s, v[i]))
            return true;
    return false;
}

/* Keeps only the racer and the steps that happen before it.  With all of v, as in the
 * paper, source sets miss classes under a bound: x=1,x=2 | read y, read x | read x, one
 * preemption.  The second thread is an initial of the sequence that puts the third between
 * the writes, but it cannot stay there without being preempted as well. */
static void keep_needed(struct hd_reversal *r)
{
    uint32_t from = r->nv - 1;

    for (uint32_t i = r->nv - 1; i > 0; i--)
        if (leads_to(r->v[i - 1], r->v + from, r->nv - from)) {
            from--;
            r->v[from] = r->v[i - 1];
            r->index[from] = r->index[i - 1];
        }
    r->nv -= from;
    for (uint32_t i = 0; i < r->nv; i++) {
        r->v[i] = r->v[from + i];
        r->index[i] = r->index[from + i];
    }
}

/* Has a search for the same step passed frame e? */
static bool was_passed(const struct hd_bpor *d, uint32_t e, const struct hd_minpreempt_extra *x)
{
    const struct hd_bpor_walk *w = &d->walk[x->tid];

    return w->number == d->walks && w->from < e && e <= w->to && w->before == x->before &&
           w->both == (x->other != NULL) && hd_bpor_same_step(&w->step, &w->op, x);
}

/* A killed worker leaves a whole entry, or none. */
static void note_walk(struct hd_bpor *d, uint32_t from, uint32_t to, const struct hd_minpreempt_extra *x)
{
    struct hd_bpor_walk *w = &d->walk[x->tid];

    w->number = 0;
    atomic_signal_fence(memory_order_release);
    *w = (struct hd_bpor_walk){ .from = from, .to = to, .before = x->before, .step = *x->step, .op = *x->op,
                                .both = x->other != NULL };
    atomic_signal_fence(memory_order_release);
    w->number = d->walks;
}

/* Is the search for the step over at this frame? */
static bool ends_walk(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x)
{
    const struct hd_bpor_frame *f = &d->frames[k];

    d->work++;
    if (f->alternatives != 0 || !hd_set_has(&f->enabled, x->tid))
        return false;
    if (hd_set_has(&f->todo, x->tid) || hd_bpor_asleep(d, f, x->tid))
        return true;
    if (!hd_bpor_may_run(d, k, x))
        return false;
    hd_bpor_want(d, k, x->tid);
    return true;
}

/* The step exceeds the bound at frame e, but perhaps not at every earlier frame: then the
 * steps in between have disabled it as far as the bound is concerned.  That is a race even
 * without a conflict: the step is tried where it is still allowed.  The same step is met again in
 * races with earlier steps: those frames need not be looked at again. */
static void try_earlier(struct hd_bpor *d, uint32_t e, const struct hd_minpreempt_extra *x)
{
    uint32_t from = x->before == HD_NO_STEP ? 0 : x->before + 1, k = e;

    if (was_passed(d, e, x))
        return;
    while (k > from && !ends_walk(d, k - 1, x))
        k--;
    note_walk(d, k > from ? k - 1 : 0, e, x);
}

/* Add one initial of v that the bound allows. */
static void add_initial(struct hd_bpor *d, uint32_t e, const struct hd_racer *racer)
{
    const struct hd_reversal *r = &d->reversal;

    if (is_covered(d, e, racer))
        return;
    for (uint32_t i = 0; i < r->nv; i++) {
        struct hd_minpreempt_extra x = member(d, i, racer);

        if (!comes_first(r, i))
            continue;
        if (hd_bpor_may_run(d, e, &x)) {
            hd_bpor_want(d, e, x.tid);
            return;
        }
        if (d->kind == HD_BPOR_LAZY)
            try_earlier(d, e, &x);
    }
}

/* ---- conservative branches ------------------------------------------------------------------ */

static void add_thread(struct hd_bpor *d, uint32_t k, hd_tid t)
{
    struct hd_minpreempt_extra x = { .tid = t };

    if (!hd_set_has(&d->frames[k].todo, t) && hd_bpor_may_run(d, k, &x))
        hd_bpor_want(d, k, t);
}

/* Add the thread, or all enabled threads if it is not enabled. */
static void add_thread_or_all(struct hd_bpor *d, uint32_t k, hd_tid t)
{
    const struct hd_bpor_frame *f = &d->frames[k];

    if (hd_set_has(&f->enabled, t)) {
        add_thread(d, k, t);
        return;
    }
    HD_SET_EACH(u, &f->enabled)
        add_thread(d, k, (hd_tid)u);
}

/* Also add branches where the switch may be free: where the block of e begins, and where
 * its thread has yielded within the block. */
static void add_conservatively(struct hd_bpor *d, uint32_t e, hd_tid t)
{
    const struct hd_trace *trace = &d->trace;

    for (uint32_t k = e; ; k--) {
        bool begins = k == 0 || trace->step[k - 1].tid != trace->step[e].tid;

        if (d->frames[k].alternatives == 0 && (begins || !d->frames[k].goes_on))
            add_thread_or_all(d, k, t);
        if (begins)
            return;
    }
}

/* ---- races ---------------------------------------------------------------------------------- */

static void reverse(struct hd_bpor *d, uint32_t e, const struct hd_racer *racer)
{
    /* No other thread can run between a step and its choice. */
    while (d->frames[e].alternatives != 0 && e > 0)
        e--;
    if (hd_bpor_sleeps(d)) {
        if (hd_reversal_make(&d->reversal, e, racer))
            add_initial(d, e, racer);
        return;
    }
    bool reversible = d->kind == HD_BPOR_SOURCE && !d->sections &&
                      !hd_trace_before(&d->trace, e, racer->before) &&
                      hd_reversal_make(&d->reversal, e, racer);

    if (reversible) {
        keep_needed(&d->reversal);
        add_initial(d, e, racer);
    } else {
        add_thread_or_all(d, e, racer->tid);
    }
    add_conservatively(d, e, racer->tid);
}

/* The latest access to the object before the racer + 1; 0: none. */
static uint32_t chain_before(const struct hd_trace *t, const struct hd_racer *racer, uint32_t obj)
{
    uint32_t i = hd_trace_last_access(t, obj);

    if (racer->step == HD_NO_STEP)
        return i;
    const struct hd_trace_step *s = &t->step[racer->step];

    for (uint32_t k = s->access; k < s->access + s->naccesses; k++)
        if (t->access[k].obj == obj) {
            i = t->access[k].previous;
            break;
        }
    while (i != 0 && t->access[i - 1].step >= racer->step)
        i = t->access[i - 1].previous;
    return i;
}

/* Examine the earlier accesses to the object. */
static void look_back(struct hd_bpor *d, const struct hd_racer *racer, struct hd_access_of on)
{
    const struct hd_trace *t = &d->trace;
    struct hd_trace_followed known_ones = HD_TRACE_FOLLOWS_NONE;
    bool all = !hd_bpor_sleeps(d);

    for (uint32_t i = chain_before(t, racer, on.obj); i != 0;) {
        const struct hd_trace_access *a = &t->access[i - 1];

        d->work++;
        if (hd_trace_follows_rest(&known_ones, a))
            return;
        if (!hd_access_conflict(a->access, on.access)) {
            i = a->other;
            continue;
        }
        bool known = !all && hd_trace_before(t, a->step, racer->before);

        if (known && a->access == HD_ACC_W)
            return;
        if (known)
            hd_trace_follow(t, &known_ones, a);
        i = a->previous;
        if (known || t->step[a->step].tid == racer->tid || d->seen[a->step] == d->seen_stamp)
            continue;
        d->seen[a->step] = d->seen_stamp;
        reverse(d, a->step, racer);
    }
}

static void look_back_as(struct hd_bpor *d, const struct hd_racer *racer, const struct hd_event *op)
{
    struct hd_access_of on[2];
    unsigned n = hd_event_accesses(op, on);

    for (unsigned i = 0; i < n; i++)
        look_back(d, racer, on[i]);
}

/* For both outcomes: another outcome may occur at a place outside the bound and conflict
 * with more steps there. */
static void races_of_operation(struct hd_bpor *d, const struct hd_racer *racer)
{
    struct hd_event op = hd_reversal_normal(&d->trace, racer);

    look_back_as(d, racer, &op);
    op.flags ^= HD_EVF_FAILED;
    look_back_as(d, racer, &op);
}

static void races_of_step(struct hd_bpor *d, uint32_t s)
{
    const struct hd_trace *t = &d->trace;
    const struct hd_trace_step *step = &t->step[s];
    struct hd_racer racer = { step->tid, s, step->before, hd_reversal_operation(t, s) };

    if (racer.op == NULL || step->step.flags & HD_STEP_CHOICE)
        return;
    d->seen_stamp++;
    for (uint32_t i = 0; i < step->nevents; i++)
        look_back_as(d, &racer, &t->exec->events[step->event + i]);
    races_of_operation(d, &racer);
}

/* R5. */
static void races_with_all(struct hd_bpor *d, const struct hd_racer *racer)
{
    const struct hd_trace *t = &d->trace;

    for (uint32_t s = t->nsteps; s > 0; s--)
        if (t->step[s - 1].tid != racer->tid && !hd_trace_before(t, s - 1, racer->before))
            reverse(d, s - 1, racer);
}

static void races_of_pending(struct hd_bpor *d, hd_tid tid, const struct hd_event *op)
{
    struct hd_racer racer = { tid, HD_NO_STEP, d->trace.last_of[tid], op };

    if (op->kind == HD_EV_NONE || op->kind == HD_EV_EXIT_END)
        return;
    d->seen_stamp++;
    if (hd_kind_begins_section(op->kind) && hd_bpor_sleeps(d))
        races_with_all(d, &racer);
    else
        races_of_operation(d, &racer);
}

/* The execution was cut here, perhaps because the bound allowed no enabled thread. */
static void try_pending_earlier(struct hd_bpor *d, hd_tid t, const struct hd_event *op)
{
    struct hd_bpor_pending p;

    if (!hd_set_has(&d->frames[d->trace.nsteps].over, t))
        return;
    hd_bpor_pending(d, t, op, &p);
    try_earlier(d, d->trace.nsteps, &p.x);
}

static bool reverse_stopped(void *ctx, uint32_t e, const struct hd_racer *racer)
{
    reverse(ctx, e, racer);
    return false;
}

/* The limit of steps ended the execution: it prevented each pending operation. */
static void races_of_stopped(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending)
{
    d->stopped = true;
    for (uint32_t t = 0; t < npending; t++)
        hd_conflicts_of_stopped(&d->trace, (hd_tid)t, &pending[t], reverse_stopped, d);
    d->stopped = false;
}

/* R6. */
static bool has_sections(const struct hd_bpor *d, const struct hd_event *pending, uint32_t npending)
{
    const struct hd_trace *t = &d->trace;

    for (uint32_t s = 0; s < t->nsteps; s++)
        if (hd_kind_begins_section(t->exec->events[t->step[s].event].kind))
            return true;
    for (uint32_t i = 0; i < npending; i++)
        if (hd_kind_begins_section(pending[i].kind))
            return true;
    return false;
}

/* The first step whose races are analysed.  With source sets and sleep sets each race is
 * decided once, as races_of_new of dpor_races.c argues.  That argument holds for all that
 * may follow, and the bound is a part of what may follow: whether it disables a step depends
 * on the class alone, R1 and R2 take it for a conflict, and they are applied where an
 * execution ends.  With choices v may hold another alternative. */
static uint32_t first_new(const struct hd_bpor *d)
{
    return d->kind == HD_BPOR_LAZY && !d->choices && d->resume != UINT32_MAX ? d->resume : 0;
}

void hd_bpor_races(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending)
{
    d->sections = d->kind == HD_BPOR_SOURCE && has_sections(d, pending, npending);
    d->stopped = false; /* a killed worker may have left it set */
    d->walks++;
    for (uint32_t s = first_new(d); s < d->trace.nsteps; s++)
        races_of_step(d, s);
    for (uint32_t t = 0; t < npending; t++)
        races_of_pending(d, (hd_tid)t, &pending[t]);
    if (d->exec->ending == HD_END_TOO_LONG && !hd_bpor_ran_on(d))
        races_of_stopped(d, pending, npending);
    if (d->kind == HD_BPOR_LAZY && d->exec->ending == HD_END_CUT)
        for (uint32_t t = 0; t < npending; t++)
            try_pending_earlier(d, (hd_tid)t, &pending[t]);
}
