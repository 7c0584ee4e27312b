/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conflicts.c - finds races per object, against the racing thread's clock before the
 * operation: the clock after it would hide all but the latest race.  Makes no libc calls. */
#include "search/por/conflicts.h"

void hd_conflicts_init(struct hd_conflicts *r, const struct hd_trace *t, struct hd_arena *arena)
{
    r->trace = t;
    if (r->seen == NULL)
        r->seen = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *r->seen);
}

/* Reports the earlier accesses to the object that conflict with the racer's access and are not in the clock of
 * its thread.  Reporting only the latest would not do: a race with an unlock, for example, cannot be reversed,
 * but one with an earlier access may be. */
static inline void look_back(struct hd_conflicts *r, const struct hd_racer *racer, unsigned access,
                             uint32_t from, hd_conflict_found *found, void *ctx)
{
    const struct hd_trace *t = r->trace;
    struct hd_trace_followed known_ones = HD_TRACE_FOLLOWS_NONE;

    for (uint32_t i = from; i != 0;) {
        const struct hd_trace_access *a = &t->access[i - 1];

        r->work++;
        if (hd_trace_follows_rest(&known_ones, a))
            return;
        if (!hd_access_conflict(a->access, access)) {
            i = a->other;
            continue;
        }
        bool known = hd_trace_before(t, a->step, racer->before);

        if (known && a->access == HD_ACC_W)
            return;
        if (known)
            hd_trace_follow(t, &known_ones, a);
        i = a->previous;
        if (known || a->step == racer->step || t->step[a->step].tid == racer->tid ||
            r->seen[a->step] == r->stamp)
            continue;
        r->seen[a->step] = r->stamp;
        if (found(ctx, a->step, racer))
            return;
    }
}

struct hd_racer hd_conflicts_racer(const struct hd_trace *t, uint32_t s)
{
    const struct hd_trace_step *step = &t->step[s];
    bool races = !(step->step.flags & HD_STEP_CHOICE);

    return (struct hd_racer){ step->tid, s, step->before,
                              races ? hd_reversal_operation(t, s) : NULL };
}

void hd_conflicts_of_step(struct hd_conflicts *r, uint32_t s, hd_conflict_found *found, void *ctx)
{
    const struct hd_trace *t = r->trace;
    const struct hd_trace_step *step = &t->step[s];
    struct hd_racer racer = hd_conflicts_racer(t, s);

    if (racer.op == NULL)
        return;
    r->stamp++;
    for (uint32_t i = step->access; i < step->access + step->naccesses; i++)
        look_back(r, &racer, t->access[i].access, t->access[i].previous, found, ctx);
}

void hd_conflicts_of_pending(struct hd_conflicts *r, hd_tid tid, const struct hd_event *op,
                         hd_conflict_found *found, void *ctx)
{
    const struct hd_trace *t = r->trace;
    struct hd_racer racer = { tid, HD_NO_STEP, t->last_of[tid], op };
    struct hd_access_of on[2];

    if (op->kind == HD_EV_NONE || op->kind == HD_EV_EXIT_END)
        return;
    struct hd_event normal = hd_reversal_normal(t, &racer);
    unsigned n = hd_event_accesses(&normal, on);

    r->stamp++;
    for (unsigned i = 0; i < n; i++)
        look_back(r, &racer, on[i].access, hd_trace_last_access(t, on[i].obj), found, ctx);
}

/* Returns the thread's last step, not counting the choices that directly follow it, unless the racer happens
 * after that step.  HD_NO_STEP: none. */
static uint32_t last_beside(const struct hd_trace *t, hd_tid tid, const struct hd_racer *racer)
{
    uint32_t s = tid != racer->tid ? hd_trace_thread_before(t, tid, hd_reversal_steps(t)) : HD_NO_STEP;

    while (s != HD_NO_STEP && t->step[s].step.flags & HD_STEP_CHOICE)
        s = t->step[s].nth > 1 ? t->step[s].before : HD_NO_STEP;
    return s != HD_NO_STEP && !hd_trace_before(t, s, racer->before) ? s : HD_NO_STEP;
}

/* Reports only those last steps that do not happen before another one of them.  A race with an earlier one
 * appears in executions without the later ones. */
void hd_conflicts_of_stopped(const struct hd_trace *t, hd_tid tid, const struct hd_event *op,
                             hd_conflict_found *found, void *ctx)
{
    struct hd_racer racer = { tid, HD_NO_STEP, t->last_of[tid], op };
    uint32_t last[HD_MAX_THREADS], n = 0;

    if (op->kind == HD_EV_NONE || op->kind == HD_EV_EXIT_END)
        return;
    for (uint32_t u = 0; u < t->nthreads; u++) {
        uint32_t s = last_beside(t, (hd_tid)u, &racer);

        if (s != HD_NO_STEP)
            last[n++] = s;
    }
    for (uint32_t i = 0; i < n; i++) {
        bool latest = true;

        for (uint32_t k = 0; k < n; k++)
            latest &= k == i || !hd_trace_before(t, last[i], last[k]);
        if (latest)
            found(ctx, last[i], &racer);
    }
}
