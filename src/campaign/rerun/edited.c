/* SPDX-License-Identifier: BSD-2-Clause
 *
 * edited.c - follows a recorded schedule in another build of the program.  The worker knows only addresses, not
 * names.  So following one run of a thread takes one execution: the thread continues for a while, and the events
 * of that execution then show where the run has to end. */
#include "campaign/rerun/edited.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "report/evidence/describe.h"
#include "report/evidence/lasting.h"

enum {
    CHUNK = 512,     /* a longer run of a thread is followed in parts */
    LOOK_AHEAD = 256, /* number of later operations of the thread that show which operation is
                       * missing */
    EXTRA = 256,     /* a thread gets this many steps more than in the recording */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the number of a name; HD_ALIGN_ANY for "". */
static uint32_t name(struct hd_edited *e, const char *text)
{
    if (text[0] == '\0')
        return HD_ALIGN_ANY;
    uint32_t id = hd_texts_add(&e->texts, text) + 1;

    if (id >= e->capacity) {
        uint32_t more = id * 2 + 64, had = e->capacity;

        e->names.recorded = hd_resized(e->names.recorded, more, sizeof *e->names.recorded);
        e->names.present = hd_resized(e->names.present, more, sizeof *e->names.present);
        e->names.renamed = hd_resized(e->names.renamed, more, sizeof *e->names.renamed);
        memset(e->names.recorded + had, 0, (more - had) * sizeof *e->names.recorded);
        memset(e->names.present + had, 0, (more - had) * sizeof *e->names.present);
        memset(e->names.renamed + had, 0, (more - had) * sizeof *e->names.renamed);
        e->capacity = more;
    }
    e->names.n = id >= e->names.n ? id + 1 : e->names.n;
    return id;
}

bool hd_edited_is_object(struct hd_edited *e, const char *then, const char *now)
{
    uint32_t a = name(e, then), b = name(e, now);

    if (a != HD_ALIGN_ANY)
        e->names.recorded[a] = true;
    return hd_align_same(&e->names, a, b);
}

/* Names the operation of an event of the last execution. */
static struct hd_align_op op_of(struct hd_edited *e, const struct hd_event *ev)
{
    uint64_t key = hd_hash_mix(hd_hash_mix(ev->pc, ev->kind), (uint64_t)ev->obj << 32 | ev->obj2) | 1;
    bool new;
    uint32_t *at = hd_map_add(&e->known, key, &new);
    struct hd_session *s = e->t->s;
    struct hd_lasting l;

    if (!new)
        return e->ops[*at];
    *at = (uint32_t)e->nops;
    hd_lasting_name(s->wire, hd_session_symbols(s), ev, &l);
    struct hd_align_op op = { ev->kind, name(e, l.function), name(e, l.object) };

    e->names.present[op.function] |= op.function != HD_ALIGN_ANY;
    e->names.present[op.object] |= op.object != HD_ALIGN_ANY;
    *HD_PUSH(e->ops, e->nops) = op;
    return op;
}

/* Names a recorded operation.  Files of earlier versions name no functions and do not distinguish variables from
 * other objects: with them, an object is compared only if the program now has a variable of that name. */
static struct hd_align_op recorded_op(struct hd_edited *e, const struct hd_schedule_step *s)
{
    struct hd_align_op op = { s->kind, name(e, s->function), name(e, hd_schedule_lasting(s->region, s->object)) };

    if (e->recorded->version < 4) {
        op.object = name(e, s->object);
        op.object = op.object != HD_ALIGN_ANY && e->names.present[op.object] ? op.object : HD_ALIGN_ANY;
    }
    if (s->kind == HD_EV_NONE)
        op = (struct hd_align_op){ 0 };
    e->names.recorded[op.function] |= op.function != HD_ALIGN_ANY;
    e->names.recorded[op.object] |= op.object != HD_ALIGN_ANY;
    return op;
}

static uint32_t slot_of(const struct hd_schedule *s, const struct hd_decision *d)
{
    return d->chosen < s->nthreads ? s->threads[d->chosen].slot : 0;
}

/* Sorts the recorded operations by thread. */
static void sort_recorded(struct hd_edited *e)
{
    const struct hd_schedule *s = e->recorded;
    uint32_t *at = hd_zeroed(HD_MAX_THREADS + 1, sizeof *at);

    e->first = hd_zeroed(HD_MAX_THREADS + 1, sizeof *e->first);
    e->then = hd_zeroed((size_t)s->nsteps + 1, sizeof *e->then);
    for (uint32_t i = 0; i < s->nsteps; i++)
        if (s->steps[i].decision.alternatives == 0)
            e->first[slot_of(s, &s->steps[i].decision) + 1]++;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        e->first[i + 1] += e->first[i];
    memcpy(at, e->first, (HD_MAX_THREADS + 1) * sizeof *at);
    for (uint32_t i = 0; i < s->nsteps; i++)
        if (s->steps[i].decision.alternatives == 0)
            e->then[at[slot_of(s, &s->steps[i].decision)]++] = recorded_op(e, &s->steps[i]);
    free(at);
}

/* ---- executions ------------------------------------------------------------------------------ */

/* Names all operations of the last execution, to find out which names exist. */
static void look_at_names(struct hd_edited *e)
{
    const struct hd_execution *x = &e->t->s->wire->exec;

    for (uint32_t i = 0; i < x->nevents; i++)
        op_of(e, &x->events[i]);
}

bool hd_edited_run(struct hd_edited *e, const struct hd_decision *plan, uint32_t n)
{
    struct hd_tried tried;

    if (e->decided || e->failed)
        return false;
    if (!hd_plan_runner_run(e->t, plan, n, &tried)) {
        e->failed = true;
        return false;
    }
    e->executions++;
    look_at_names(e);
    e->decided = e->judge(e->ctx);
    return !e->decided;
}

/* The steps of one thread in the last execution. */
struct own {
    uint32_t n;
    uint32_t step[HD_ALIGN_MAX];
    struct hd_align_op op[HD_ALIGN_MAX];
};

static void find_own(struct hd_edited *e, uint32_t slot, struct own *out)
{
    const struct hd_execution *x = &e->t->s->wire->exec;
    struct hd_report r = { .wire = e->t->s->wire, .decisions = x->decisions, .ndecisions = x->nsteps,
                           .events = x->events, .nevents = x->nevents, .pending = x->pending,
                           .npending = x->nthreads, .threads = x->threads, .nthreads = x->nthreads };
    const struct hd_event **of = hd_zeroed((size_t)x->nsteps + 1, sizeof *of);
    uint32_t skip = e->threads[slot].now;

    out->n = 0;
    hd_report_step_events(&r, of);
    for (uint32_t i = 0; i < x->nsteps && out->n < HD_ALIGN_MAX; i++) {
        const struct hd_decision *d = &x->decisions[i];

        if (d->alternatives != 0 || d->chosen >= x->nthreads || x->threads[d->chosen].slot != slot)
            continue;
        if (skip > 0) {
            skip--;
            continue;
        }
        out->step[out->n] = i;
        out->op[out->n++] = of[i] != NULL ? op_of(e, of[i]) : (struct hd_align_op){ 0 };
    }
    free(of);
}

/* ---- one run of a thread ---------------------------------------------------------------------- */

/* Steps `first` to `end` of the recording, all of the same thread, with choices between them. */
struct part {
    uint32_t first, end;
    uint32_t slot;
    uint32_t n; /* operations */
};

/* Makes a plan: everything followed so far, then steps of this thread. */
static uint32_t make_trial(const struct hd_edited *e, const struct part *p)
{
    const struct hd_decision insist = { (uint16_t)p->slot, 0, HD_PLAN_WAITS };
    uint32_t n = e->nplan;

    memcpy(e->trial, e->plan, n * sizeof *e->trial);
    for (uint32_t i = p->first; i < p->end && n < HD_MAX_STEPS; i++) {
        const struct hd_decision *d = &e->recorded->steps[i].decision;

        e->trial[n++] = d->alternatives == 0 ? insist : (struct hd_decision){ d->chosen, d->alternatives, 0 };
    }
    for (uint32_t i = 0; i < EXTRA && n < HD_MAX_STEPS; i++)
        e->trial[n++] = insist;
    return n;
}

/* Takes the steps of the last execution up to `end` as the plan.  Returns true if other threads
 * made some of the new steps. */
static bool take_plan(struct hd_edited *e, const struct part *p, uint32_t end)
{
    bool others = false;

    for (uint32_t i = e->nplan; i < end; i++) {
        e->plan[i] = e->t->steps[i];
        others |= e->plan[i].alternatives == 0 && e->plan[i].chosen != p->slot;
    }
    e->nplan = end > e->nplan ? end : e->nplan;
    return others;
}

/* Records the names of the paired operations.  Returns the last partner of the part's operations,
 * or HD_ALIGN_NONE if there is none. */
static uint32_t last_partner(struct hd_edited *e, const struct part *p, const struct hd_align_op *then,
                             const struct own *own, const uint32_t *partner)
{
    uint32_t last = HD_ALIGN_NONE;

    for (uint32_t i = 0; i < p->n; i++)
        if (partner[i] != HD_ALIGN_NONE) {
            last = partner[i];
            hd_align_learn(&e->names, &then[i], &own->op[last]);
        }
    return last;
}

static void follow_part(struct hd_edited *e, const struct part *p, struct own *own)
{
    struct hd_edited_thread *at = &e->threads[p->slot];
    const struct hd_align_op *then = &e->then[e->first[p->slot] + at->then];
    uint32_t left = e->first[p->slot + 1] - e->first[p->slot] - at->then;
    uint32_t n = left < p->n + LOOK_AHEAD ? left : p->n + LOOK_AHEAD;
    uint32_t partner[CHUNK + LOOK_AHEAD];

    find_own(e, p->slot, own);
    hd_align(&e->names, then, n, own->op, own->n, partner);
    uint32_t last = last_partner(e, p, then, own, partner);

    at->then += p->n;
    e->exact &= last + 1 == p->n;
    if (last == HD_ALIGN_NONE)
        return;
    at->now += last + 1;
    e->followed += partner[p->n - 1] != HD_ALIGN_NONE;
    if (take_plan(e, p, own->step[last] + 1)) {
        e->held++;
        e->exact = false;
    }
}

/* Finds the part of the recording that begins at a step. */
static struct part part_at(const struct hd_schedule *s, uint32_t first)
{
    struct part p = { .first = first, .end = first };

    for (; p.end < s->nsteps && p.n < CHUNK; p.end++) {
        const struct hd_decision *d = &s->steps[p.end].decision;

        if (d->alternatives == 0 && p.n > 0 && slot_of(s, d) != p.slot)
            break;
        if (d->alternatives == 0) {
            p.slot = slot_of(s, d);
            p.n++;
        }
    }
    return p;
}

void hd_edited_follow(struct hd_edited *e)
{
    const struct hd_schedule *s = e->recorded;
    struct own *own = hd_zeroed(1, sizeof *own);

    e->plan = hd_zeroed(HD_MAX_STEPS, sizeof *e->plan);
    e->trial = hd_zeroed(HD_MAX_STEPS, sizeof *e->trial);
    e->threads = hd_zeroed(HD_MAX_THREADS, sizeof *e->threads);
    e->exact = true;
    name(e, "?"); /* so that no name gets the number HD_ALIGN_ANY */
    bool runs = hd_edited_run(e, NULL, 0); /* to find out which names exist */

    sort_recorded(e);
    for (uint32_t i = 0; i < s->nsteps && runs;) {
        struct part p = part_at(s, i);

        i = p.end;
        if (p.n == 0)
            continue;
        e->switches++;
        runs = hd_edited_run(e, e->trial, make_trial(e, &p));
        if (runs)
            follow_part(e, &p, own);
    }
    if (runs)
        hd_edited_run(e, e->plan, e->nplan);
    free(own);
}

void hd_edited_free(struct hd_edited *e)
{
    hd_texts_free(&e->texts);
    hd_map_free(&e->known);
    free(e->ops);
    free(e->names.recorded);
    free(e->names.present);
    free(e->names.renamed);
    free(e->then);
    free(e->first);
    free(e->threads);
    free(e->plan);
    free(e->trial);
}
