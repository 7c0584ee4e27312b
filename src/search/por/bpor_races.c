/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor_races.c - derives branches from the races of an execution.  Makes no libc calls.
 *
 * A race is, as in dpor.c, a step or a pending operation and an earlier conflicting access that is not in its
 * thread's clock.  Here every possible outcome of the operation is considered.  All strategies except bpor-lazy
 * analyse all steps again after every execution.  A bounded search learns nothing from steps that it cannot
 * run, so it must consider more than an unbounded one:
 *
 * R1  When an execution is cut, the races of all pending operations are analysed, also of those that only the
 *     bound prevents from running.
 * R2  Two independent steps race if the bound allows either of them but not both
 *     (try_earlier).
 * R3  A sleeping step that would exceed the bound covers nothing: what follows it was not explored.
 * R4  An operation that failed may succeed at a position that exceeds the bound, and conflict with more steps
 *     there.  So both outcomes are considered.
 * R5  The accesses of an atomic section are known only after it has run.  A pending section certainly conflicts
 *     with other sections, and only these conflicts may raise its cost.  It may also conflict with any other
 *     step, so its races with all steps are analysed.
 * R6  With atomic sections bpor-source behaves like bpor.  A section conflicts with other sections as such, and
 *     with other steps by its accesses.  A step that must come first in v for one of these reasons may have to
 *     come later for the other, to stay within the bound.
 *
 * Random programs in which a class was missed showed that R1, R2, R4, R5 and R6 are needed; R3 follows from R2.
 * With these rules, bpor-lazy is an ordinary partial-order reduction of a program in which the bound also
 * disables steps: whether it does is the same for all executions of a class, and a step that the bound disables
 * stays disabled.
 *
 * bpor and bpor-source bound the execution that they run.  There a step may have to come earlier only because
 * that is cheaper.  So they consider all earlier conflicts, including those in the thread's clock and those
 * that cannot be reversed.  Without that they missed 48 of 4,012 classes of programs with mutexes. */
#include "search/por/bpor.h"

#include <stdatomic.h>

/* ---- source sets ------------------------------------------------------------------------ */

/* Rule R5: returns a step with only those accesses of the racer's operation that are certain. */
static const struct hd_step *certain_part(struct hd_bpor *d)
{
    hd_step_set(&d->certain, d->reversal.last.slot, &d->reversal.op, 1);
    return &d->certain;
}

/* Returns v[i] as a step to run; if it is the racer's, with its certain accesses only (R5). */
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

/* True if sleeping step s may run at frame e.  It was tried at an earlier frame, but if it exceeds the bound
 * here, its continuations from here were not explored. */
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

/* True if a thread that sleeps, was tried or will be tried at frame e is a first step of v.  Threads that
 * exceed the bound do not count, because nothing after them is explored. */
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
    /* Step e may turn out to be independent of v.  Then it covers v, and there was no race. */
    return !d->stopped && hd_step_weak_initial(&f->step, r->v, r->nv);
}

/* True if v[i] can come first in v. */
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

/* Reduces v to the racer and the steps that happen before it.  With all of v, as in the paper, source sets miss
 * classes under a bound.  Example, with one preemption: x=1,x=2 | read y, read x | read x.  To put the third
 * thread's read between the two writes, v may begin with the second thread; but that thread would then be
 * preempted too. */
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

/* True if try_earlier has already searched for the same step at frame e in this execution. */
static bool was_passed(const struct hd_bpor *d, uint32_t e, const struct hd_minpreempt_extra *x)
{
    const struct hd_bpor_walk *w = &d->walk[x->tid];

    return w->number == d->walks && w->from < e && e <= w->to && w->before == x->before &&
           w->both == (x->other != NULL) && hd_bpor_same_step(&w->step, &w->op, x);
}

/* If a worker is killed here, it leaves a complete entry or none. */
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

/* Tries the step at frame k.  True if the search of try_earlier ends there. */
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

/* Rule R2.  The step exceeds the bound at frame e, but perhaps not at some earlier frame.  Then the steps in
 * between have disabled it, as far as the bound is concerned, and that is a race even without a conflict.  So
 * the step is tried at the latest earlier frame that allows it.  Races with earlier steps lead to the same step
 * again; the frames searched before are then skipped. */
static void try_earlier(struct hd_bpor *d, uint32_t e, const struct hd_minpreempt_extra *x)
{
    uint32_t from = x->before == HD_NO_STEP ? 0 : x->before + 1, k = e;

    if (was_passed(d, e, x))
        return;
    while (k > from && !ends_walk(d, k - 1, x))
        k--;
    note_walk(d, k > from ? k - 1 : 0, e, x);
}

/* Adds one thread that can come first in v and that the bound allows. */
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

/* ---- branches of bpor and bpor-source ---- */

static void add_thread(struct hd_bpor *d, uint32_t k, hd_tid t)
{
    struct hd_minpreempt_extra x = { .tid = t };

    if (!hd_set_has(&d->frames[k].todo, t) && hd_bpor_may_run(d, k, &x))
        hd_bpor_want(d, k, t);
}

/* Adds the thread, or all enabled threads if it is not enabled. */
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

/* Besides the branch at step e, adds branches where the switch may be free: where the block of consecutive
 * steps that contains e begins, and where its thread has yielded within the block. */
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
    /* A choice directly follows its step, so no other thread can run between the two. */
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

/* Returns 1 + the latest access to the object before the racer; 0 if there is none. */
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

/* Analyses the races with the earlier accesses to the object. */
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

/* Rule R4: analyses the races of both outcomes of the operation. */
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

/* Rule R5: analyses the races of an atomic section, which may conflict with every step. */
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

/* The execution was cut, perhaps because the bound allowed no enabled thread: looks for an earlier frame at
 * which the pending operation may run. */
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

/* The limit on the number of steps ended the execution, so it has prevented each pending operation from
 * running. */
static void races_of_stopped(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending)
{
    d->stopped = true;
    for (uint32_t t = 0; t < npending; t++)
        hd_conflicts_of_stopped(&d->trace, (hd_tid)t, &pending[t], reverse_stopped, d);
    d->stopped = false;
}

/* Rule R6: true if the execution has atomic sections. */
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

/* Returns the first step whose races are analysed.  With source sets and sleep sets each race is decided once;
 * races_of_new in dpor_races.c explains why.  That argument covers everything that may follow an execution, and
 * the bound is a part of that: whether it disables a step depends on the class alone, and R1 and R2 treat it
 * like a conflict wherever an execution ends.  If the program makes choices, v may contain another alternative,
 * so then all steps are analysed. */
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
