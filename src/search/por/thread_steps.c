/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_steps.c - the index, in blocks that are freed in the reverse order of their allocation.  Makes no libc
 * calls. */
#include "search/por/thread_steps.h"

#include <stdatomic.h>

#include "search/por/reversal.h"

#define BLOCK HD_THREAD_STEPS_BLOCK
#define BLOCKS (HD_TRACE_STEPS / BLOCK)

void hd_thread_steps_init(struct hd_thread_steps *s, const struct hd_trace *t, struct hd_arena *arena)
{
    s->trace = t;
    if (s->of != NULL)
        return;
    s->block = hd_arena_alloc(arena, (uint64_t)HD_MAX_THREADS * BLOCKS * sizeof *s->block);
    s->at = hd_arena_alloc(arena, (uint64_t)(BLOCKS + HD_MAX_THREADS) * BLOCK * sizeof *s->at);
    s->of = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *s->of);
}

static void begin_change(struct hd_thread_steps *s, bool rebuild)
{
    if (s->changing || rebuild) {
        for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
            s->count[t] = 0;
        s->n = s->nblocks = 0;
    }
    s->changing = true;
    atomic_signal_fence(memory_order_release);
}

static void end_change(struct hd_thread_steps *s)
{
    atomic_signal_fence(memory_order_release);
    s->changing = false;
}

/* If n is 0, the steps of the old trace may no longer exist, so they are not read. */
void hd_thread_steps_keep(struct hd_thread_steps *s, uint32_t n)
{
    if (s->n <= n && !s->changing)
        return;
    begin_change(s, n == 0);
    while (s->n > n) {
        hd_tid t = s->trace->step[--s->n].tid;

        s->nblocks -= --s->count[t] % BLOCK == 0;
    }
    end_change(s);
}

uint32_t hd_thread_steps_before(const struct hd_thread_steps *s, hd_tid t, uint32_t n)
{
    uint32_t from = 0, to = s->count[t];

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (hd_thread_steps_at(s, t, middle) < n)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* True if the event may change a value that a thread waits for in a loop (model/awaits.h).  The loop may begin
 * later, so every write counts if the program has such loops. */
static bool may_end_wait(const struct hd_trace *t, const struct hd_event *e)
{
    return t->exec->waits != 0 && (enum hd_change)hd_kind_info[e->kind].change == HD_CHANGE_VALUE &&
           !hd_event_polls(e, hd_kind_traits[e->kind]);
}

bool hd_event_enables_nothing(const struct hd_trace *t, const struct hd_event *e)
{
    enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;

    return hd_event_queue(e) == 0 && !may_end_wait(t, e) &&
           (change == HD_CHANGE_NONE || change == HD_CHANGE_OWN || change == HD_CHANGE_READ_IN ||
            change == HD_CHANGE_DOWN || change == HD_CHANGE_VALUE || change == HD_CHANGE_FORGET);
}

bool hd_event_is_quiet(const struct hd_trace *t, const struct hd_event *e)
{
    enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;

    return hd_event_queue(e) == 0 && !may_end_wait(t, e) && (change == HD_CHANGE_NONE || change == HD_CHANGE_VALUE);
}

static bool every_event(const struct hd_thread_steps *s, uint32_t step,
                        bool (*is)(const struct hd_trace *, const struct hd_event *))
{
    const struct hd_trace_step *x = &s->trace->step[step];

    for (uint32_t i = 0; i < x->nevents; i++)
        if (!is(s->trace, &s->trace->exec->events[x->event + i]))
            return false;
    return true;
}

/* True if a step of another thread must come between this step and the previous step of its thread: then every
 * sequence leaves the thread there. */
static bool is_interrupted(const struct hd_thread_steps *s, uint32_t step)
{
    hd_tid t = s->trace->step[step].tid;
    uint32_t done = s->trace->step[step].nth - 1;
    const uint32_t *next = hd_trace_clock(s->trace, step);

    for (uint32_t u = 0; u < s->trace->nthreads; u++) {
        if (u == t || next[u] == 0)
            continue;
        if (hd_trace_clock(s->trace, hd_thread_steps_at(s, (hd_tid)u, next[u] - 1))[t] >= done)
            return true;
    }
    return false;
}

bool hd_thread_steps_runs_after(const struct hd_thread_steps *s, uint32_t before, const struct hd_event *op)
{
    const struct hd_trace_step *x = &s->trace->step[before];
    enum hd_when when = (enum hd_when)hd_kind_info[op->kind].when;

    if (hd_event_awaits(op))
        return false;
    if (!(hd_kind_traits[op->kind] & HD_TRAIT_BLOCKS))
        return true;
    const struct hd_event *e = &s->trace->exec->events[x->event];
    enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;

    if (x->nevents != 1 || e->obj != op->obj || (e->flags & HD_EVF_FAILED))
        return false;
    return when == HD_WHEN_POSITIVE ? change == HD_CHANGE_UP :
           (when == HD_WHEN_FREE || when == HD_WHEN_WRITABLE) && change == HD_CHANGE_DISOWN;
}

/* True if every sequence leaves the thread before this step, and leaving it is a preemption at every cut at
 * which that can happen. */
static bool is_compulsory(const struct hd_thread_steps *s, uint32_t step)
{
    const struct hd_trace_step *x = &s->trace->step[step];
    struct hd_racer next = { x->tid, step, x->before, hd_reversal_operation(s->trace, step) };

    if (x->nth == 1 || next.op == NULL || s->yields(s->ctx, x->before))
        return false;
    struct hd_event op = hd_reversal_normal(s->trace, &next);

    return hd_thread_steps_runs_after(s, x->before, &op) && is_interrupted(s, step);
}

static bool stays(const struct hd_thread_steps *s, uint32_t step)
{
    const struct hd_trace_step *x = &s->trace->step[step];

    return every_event(s, step, hd_event_enables_nothing) &&
           (x->nth == 1 || !s->yields(s->ctx, x->before));
}

/* True if the step happens after the same steps of other threads as the one before it. */
static bool follows_at_once(const struct hd_thread_steps *s, uint32_t step)
{
    const struct hd_trace_step *x = &s->trace->step[step];
    const uint32_t *now = hd_trace_clock(s->trace, step), *before = hd_trace_clock(s->trace, x->before);

    for (uint32_t u = 0; u < s->trace->nthreads; u++)
        if (u != x->tid && now[u] != before[u])
            return false;
    return true;
}

static void describe(struct hd_thread_steps *s, uint32_t step)
{
    const struct hd_trace_step *x = &s->trace->step[step];
    struct hd_thread_step *of = &s->of[step], *before = x->nth > 1 ? &s->of[x->before] : NULL;
    bool loud = (x->step.flags & (HD_STEP_MANY | HD_STEP_ALL)) || !every_event(s, step, hd_event_is_quiet);

    of->due = (before != NULL ? before->due : 0) + is_compulsory(s, step);
    of->loud = (before != NULL ? before->loud : 0) + loud;
    of->stays = stays(s, step);
    of->run = of->end = x->nth;
    if (before == NULL)
        return;
    struct hd_thread_step *first = &s->of[hd_thread_steps_at(s, x->tid, before->run - 1)];

    first->end = x->nth - 1; /* steps that have been dropped may have extended the run */
    if (of->stays && follows_at_once(s, step)) {
        of->run = before->run;
        first->end = x->nth;
    }
}

void hd_thread_steps_reach(struct hd_thread_steps *s, uint32_t n)
{
    if (s->n >= n && !s->changing)
        return;
    begin_change(s, false);
    for (; s->n < n; s->n++) {
        hd_tid t = s->trace->step[s->n].tid;
        uint32_t nth = s->count[t];

        if (nth % BLOCK == 0)
            s->block[(uint64_t)t * BLOCKS + nth / BLOCK] = s->nblocks++;
        s->at[s->block[(uint64_t)t * BLOCKS + nth / BLOCK] * BLOCK + nth % BLOCK] = s->n;
        s->count[t] = nth + 1;
        describe(s, s->n);
        s->work++;
    }
    end_change(s);
}
