/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.c - assigns events to decisions, and determines which operations conflict. */
#include "shrink/steps.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- events of steps ------------------------------------------------------------------------ */

static bool is_plain(const struct hd_event *e)
{
    return e->kind == HD_EV_PLAIN_READ || e->kind == HD_EV_PLAIN_WRITE;
}

/* True if a decision can precede the event.  None can precede a local event, or an event inside an atomic
 * section, during which no other thread runs. */
static bool is_point(const struct hd_event *e, hd_tid *section)
{
    bool choice = (e->flags & HD_EVF_CHOICE) != 0;
    bool inside = *section == e->tid && !choice;

    if (*section != e->tid || hd_kind_ends_section(e->kind))
        *section = HD_NO_TID;
    if (hd_kind_begins_section(e->kind))
        *section = e->tid;
    return choice || (!inside && !(hd_kind_traits[e->kind] & HD_TRAIT_LOCAL));
}

/* True if plain accesses were scheduling points.  If there are more possible points than decisions, plain
 * accesses were recorded as events only. */
static bool plain_are_points(const struct hd_failure *f)
{
    hd_tid section = HD_NO_TID;
    uint32_t points = 0;

    for (uint32_t i = 0; i < f->nevents; i++)
        points += is_point(&f->events[i], &section);
    return points <= f->nsteps;
}

static hd_tid thread_of(const struct hd_failure *f, unsigned slot)
{
    for (uint32_t t = 0; t < f->nthreads; t++)
        if (f->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

static bool begins(const struct hd_event *e, const struct hd_decision *d, hd_tid tid)
{
    bool choice = (e->flags & HD_EVF_CHOICE) != 0;

    return d->alternatives != 0 ? choice : !choice && e->tid == tid;
}

struct walk {
    uint32_t at; /* index of the next event */
    hd_tid section;
    bool plain;  /* plain accesses are scheduling points */
    struct hd_shrink_op *last;
};

/* Events before the first event of step d belong to the previous step.  Returns the index of that first event;
 * nevents if there is none. */
static uint32_t advance(const struct hd_failure *f, struct walk *w, const struct hd_decision *d,
                        hd_tid tid)
{
    for (; w->at < f->nevents; w->at++) {
        const struct hd_event *e = &f->events[w->at];

        if (is_point(e, &w->section) && (w->plain || !is_plain(e)) && begins(e, d, tid))
            return w->at++;
        if (w->last != NULL && w->last->nevents > 0)
            w->last->nevents++;
    }
    return f->nevents;
}

static void add_step(struct hd_shrink_steps *s, struct walk *w, uint32_t i, uint32_t *nth)
{
    const struct hd_failure *f = s->of;
    const struct hd_decision *d = &f->steps[i];
    hd_tid tid = d->alternatives == 0 ? thread_of(f, d->chosen) : HD_NO_TID;
    struct walk before = *w;
    uint32_t events_before = w->last != NULL ? w->last->nevents : 0;
    uint32_t e = advance(f, w, d, tid);

    if (e == f->nevents && i + 1 < f->nsteps) { /* the step has no event: return to the previous position */
        *w = before;
        if (w->last != NULL)
            w->last->nevents = events_before;
    }
    if (d->alternatives != 0) {
        s->choice_event[i] = e < f->nevents ? e : HD_CAUSE_PENDING;
        return;
    }
    w->last = &s->op[s->nops++];
    *w->last = (struct hd_shrink_op){ .slot = d->chosen, .tid = tid, .step = i, .event = e,
                                      .nevents = e < f->nevents };
    if (tid != HD_NO_TID)
        w->last->nth = nth[tid]++;
}

/* A thread that failed was executing its pending operation in its last step. */
static void add_pending(struct hd_shrink_steps *s, const uint32_t *nth)
{
    const struct hd_failure *f = s->of;

    s->nran = s->nops;
    for (uint32_t t = 0; t < f->nthreads && f->pending != NULL; t++)
        if (f->threads[t].state == HD_TH_LIVE && f->pending[t].kind != HD_EV_NONE)
            s->op[s->nops++] = (struct hd_shrink_op){ .slot = f->threads[t].slot, .tid = (hd_tid)t,
                                                      .nth = nth[t], .step = f->nsteps };
}

void hd_shrink_steps_init(struct hd_shrink_steps *s, const struct hd_failure *f)
{
    struct walk w = { .section = HD_NO_TID, .plain = plain_are_points(f) };
    uint32_t nth[HD_MAX_THREADS] = { 0 };

    *s = (struct hd_shrink_steps){ .of = f };
    s->op = hd_zeroed((size_t)f->nsteps + f->nthreads + 1, sizeof *s->op);
    s->choice_event = hd_zeroed((size_t)f->nsteps + 1, sizeof *s->choice_event);
    for (uint32_t i = 0; i < f->nsteps; i++)
        add_step(s, &w, i, nth);
    for (; w.at < f->nevents && w.last != NULL && w.last->nevents > 0; w.at++)
        w.last->nevents++;
    add_pending(s, nth);
}

void hd_shrink_steps_free(struct hd_shrink_steps *s)
{
    free(s->op);
    free(s->choice_event);
}

/* ---- conflicts ------------------------------------------------------------------------------- */

enum { MOST_EVENTS = 16 }; /* maximum number of events of a step to compare; the first ones characterise it */

static unsigned access_of(const struct hd_event *e, uint32_t obj)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    if (e->obj == obj)
        return e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1;
    return e->obj2 == obj ? k->acc2 : HD_ACC_N;
}

static bool conflict_on(const struct hd_event *a, const struct hd_event *b, uint32_t obj)
{
    unsigned x = obj != 0 ? access_of(a, obj) : HD_ACC_N, y = access_of(b, obj);

    return x != HD_ACC_N && y != HD_ACC_N && (x != y || x == HD_ACC_W);
}

static const struct hd_event *event_of(const struct hd_shrink_steps *s, const struct hd_shrink_op *a,
                                       uint32_t i)
{
    if (a->nevents > 0)
        return i < a->nevents && i < MOST_EVENTS ? &s->of->events[a->event + i] : NULL;
    return i == 0 && s->of->pending != NULL ? &s->of->pending[a->tid] : NULL;
}

struct hd_cause_part hd_shrink_part(const struct hd_shrink_op *a)
{
    return (struct hd_cause_part){ a->nevents > 0 ? a->event : HD_CAUSE_PENDING, a->tid };
}

/* Returns the event as a part of a cause.  Touch and section-end events are replaced by the operation itself. */
static struct hd_cause_part part_of(const struct hd_shrink_op *a, const struct hd_event *e, uint32_t i)
{
    struct hd_cause_part p = hd_shrink_part(a);

    if (p.event != HD_CAUSE_PENDING && e->kind != HD_EV_TOUCH && !hd_kind_ends_section(e->kind))
        p.event += i;
    return p;
}

bool hd_shrink_conflict(const struct hd_shrink_steps *s, const struct hd_shrink_op *a,
                        const struct hd_shrink_op *b, struct hd_cause_part *x,
                        struct hd_cause_part *y)
{
    const struct hd_event *e, *f;

    if (a->tid == HD_NO_TID || b->tid == HD_NO_TID)
        return false;
    for (uint32_t i = 0; (e = event_of(s, a, i)) != NULL; i++)
        for (uint32_t k = 0; (f = event_of(s, b, k)) != NULL; k++)
            if (conflict_on(e, f, e->obj) || conflict_on(e, f, e->obj2)) {
                *x = part_of(a, e, i);
                *y = part_of(b, f, k);
                return true;
            }
    return false;
}
