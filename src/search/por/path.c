/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.c - frames and sleep sets.  Makes no libc calls. */
#include "search/por/path.h"

#include <stdatomic.h>

#include "base/rules.h"

void hd_path_init(struct hd_path *p, const struct hd_execution *exec, struct hd_arena *arena)
{
    p->exec = exec;
    hd_trace_init(&p->trace, arena);
    if (p->frame != NULL)
        return;
    p->sleep = hd_arena_alloc(arena, HD_PATH_SLEEP * sizeof *p->sleep);
    p->frame = hd_arena_alloc(arena, HD_MAX_STEPS * sizeof *p->frame);
}

void hd_path_begin(struct hd_path *p)
{
    p->end = UINT32_MAX;
}

hd_tid hd_path_run_on(struct hd_path *p, const struct hd_point *at)
{
    if (!hd_path_is_over(p)) {
        p->nwaiting = at->nthreads;
        for (uint32_t t = 0; t < at->nthreads; t++)
            p->waiting[t] = at->pending[t];
        p->end = at->step;
    }
    return (hd_tid)hd_set_next(&at->enabled, 0);
}

/* True if the execution went on after the end of the path.  False if a worker died between ending the path and
 * the next decision. */
static bool ran_on(const struct hd_path *p)
{
    return p->end < p->exec->nsteps;
}

uint32_t hd_path_length(const struct hd_path *p)
{
    return ran_on(p) ? p->end : p->exec->nsteps;
}

uint32_t hd_path_threads(const struct hd_path *p)
{
    return ran_on(p) ? p->nwaiting : p->exec->nthreads;
}

const struct hd_event *hd_path_pending(const struct hd_path *p, hd_tid tid)
{
    return ran_on(p) ? &p->waiting[tid] : &p->exec->pending[tid];
}

bool hd_path_is_stopped(const struct hd_path *p)
{
    return !ran_on(p) && p->exec->ending == HD_END_TOO_LONG;
}

/* Completes frame k.  The accesses of its step are known when the next decision is due or the execution is
 * over. */
static void step_is_over(struct hd_path *p, uint32_t k, uint32_t nevents)
{
    struct hd_path_frame *f = &p->frame[k];
    uint32_t n = nevents - f->first_event;
    const struct hd_event *events = &p->exec->events[f->first_event];
    hd_tid tid = n > 0 ? events[0].tid : p->exec->decisions[k].chosen;

    hd_step_set(&f->step, p->exec->threads[tid].slot, events, n);
}

void hd_path_enter(struct hd_path *p, uint32_t k)
{
    struct hd_path_frame *f = &p->frame[k];

    HD_INVARIANT(k < HD_MAX_STEPS, "more steps than frames");
    HD_CHECK(k == 0 || f[-1].first_event <= p->exec->nevents, "P2: frames are in the order of events");
    if (k > 0)
        step_is_over(p, k - 1, p->exec->nevents);
    *f = (struct hd_path_frame){
        .first_event = p->exec->nevents,
        .sleep = k > 0 ? f[-1].sleep + f[-1].nsleep : 0,
        .step.flags = HD_STEP_ALL };
}

static void sleep_at(struct hd_path *p, struct hd_path_frame *f, const struct hd_step *s)
{
    HD_INVARIANT(f->sleep + f->nsleep < HD_PATH_SLEEP, "too many sleeping steps");
    p->sleep[f->sleep + f->nsleep] = *s;
    atomic_signal_fence(memory_order_release); /* rule P3: the step must be complete before it is counted */
    f->nsleep++;
}

void hd_path_put_to_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s)
{
    struct hd_path_frame *f = &p->frame[k];

    if (k == 0 || !hd_step_conflict(s, &f[-1].step))
        sleep_at(p, f, s);
}

void hd_path_step_done(struct hd_path *p, uint32_t k)
{
    sleep_at(p, &p->frame[k], &p->frame[k].step);
}

void hd_path_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s)
{
    sleep_at(p, &p->frame[k], s);
}

void hd_path_inherit_sleep(struct hd_path *p, uint32_t k)
{
    const struct hd_path_frame *f = &p->frame[k - 1];

    for (uint32_t i = 0; i < f->nsleep; i++)
        hd_path_put_to_sleep(p, k, &p->sleep[f->sleep + i]);
}

hd_tid hd_path_find_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads)
{
    for (uint32_t t = 0; t < nthreads; t++)
        if (p->exec->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

bool hd_path_asleep(const struct hd_path *p, uint32_t k, uint16_t slot)
{
    const struct hd_path_frame *f = &p->frame[k];

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (p->sleep[f->sleep + i].slot == slot)
            return true;
    return false;
}

/* Fast path: true if the last thread may continue and no step sleeps. */
static inline bool goes_on(const struct hd_path *p, const struct hd_point *at)
{
    return at->last < at->nthreads && hd_set_has(&at->enabled, at->last) &&
           !hd_set_has(&at->yielded, at->last) && p->frame[at->step].nsleep == 0 && !p->oldest;
}

/* Returns a thread whose operation has an unknown outcome (hd_point.untried).  Trying it now saves an execution
 * that would try it later. */
static __attribute__((cold, noinline)) hd_tid untried(const struct hd_path *p, const struct hd_point *at)
{
    HD_SET_EACH(t, &at->untried)
        if (hd_set_has(&at->enabled, t) && !hd_path_asleep(p, at->step, p->exec->threads[t].slot))
            return (hd_tid)t;
    return HD_NO_TID;
}

hd_tid hd_path_free_choice(const struct hd_path *p, const struct hd_point *at)
{
    if (HD_UNLIKELY(at->nuntried > 0)) {
        hd_tid t = untried(p, at);

        if (t != HD_NO_TID)
            return t;
    }
    if (goes_on(p, at))
        return at->last;
    for (int yielded = 0; yielded < 2; yielded++)
        for (uint32_t i = 0; i < at->nthreads; i++) {
            uint32_t first = p->oldest ? 0 : at->last;
            uint32_t t = first + i < at->nthreads ? first + i : first + i - at->nthreads;

            if (hd_set_has(&at->enabled, t) && hd_set_has(&at->yielded, t) == yielded &&
                !hd_path_asleep(p, at->step, p->exec->threads[t].slot))
                return (hd_tid)t;
        }
    return HD_NO_TID;
}

bool hd_path_trace(struct hd_path *p, uint32_t nsteps, uint32_t keep)
{
    const struct hd_execution *done = p->exec;
    uint32_t nevents = nsteps == p->end ? p->frame[nsteps].first_event : done->nevents;

    if (nsteps > 0)
        step_is_over(p, nsteps - 1, nevents);
    for (uint32_t k = hd_trace_start(&p->trace, done, keep); k < nsteps; k++) {
        uint32_t first = p->frame[k].first_event;
        uint32_t after = k + 1 < nsteps ? p->frame[k + 1].first_event : nevents;
        hd_tid tid = after > first ? done->events[first].tid : done->decisions[k].chosen;

        if (!hd_trace_add(&p->trace, &p->frame[k].step, tid, first, after - first))
            return false;
    }
    hd_trace_finish(&p->trace);
    return true;
}
