/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.c - makes the steps of a finding from its record.  Omits events that are not scheduling
 * points, and faults that were not injected, like the table of the text report. */
#include "report/evidence/steps.h"

#include <stdlib.h>

#include "base/memory.h"
#include "report/evidence/accesses.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/transaction.h"

static bool is_shown(const struct hd_event *e)
{
    bool no_fault = (hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN) || hd_transaction_is_silent(e);

    return e->kind != HD_EV_NONE && e->tid < HD_MAX_THREADS && !hd_report_is_local(e) && !no_fault;
}

static bool is_decisive(const struct hd_report *r, uint32_t event)
{
    for (unsigned i = 0; r->why != NULL && i < r->why->nevents && i < HD_MAX_DECISIVE; i++)
        if (r->why->event[i] == event)
            return true;
    return false;
}

static struct hd_step *add(struct hd_steps *s, enum hd_step_type type, hd_tid tid)
{
    struct hd_step *step = &s->all[s->n];

    *step = (struct hd_step){ .type = type, .tid = tid,
                              .switched = s->n > 0 && s->all[s->n - 1].tid != tid };
    s->n++;
    return step;
}

static void add_event(const struct hd_report *r, struct hd_steps *s, enum hd_step_type type,
                      const struct hd_event *e, hd_tid tid)
{
    struct hd_step *step = add(s, type, tid);

    step->event = e;
    step->pc = hd_report_place(r, e);
}

static void add_access(const struct hd_report *r, struct hd_steps *s, const struct hd_race_access *a)
{
    struct hd_step *step = add(s, HD_STEP_ACCESS, a->tid);

    step->access = *a;
    step->pc = hd_report_access_place(r, a);
    step->decisive = true;
}

/* Adds the first access of a race if exactly `nevents` events of the record come before it. */
static void add_first(const struct hd_report *r, struct hd_steps *s, uint32_t nevents)
{
    if (r->race == NULL)
        return;
    struct hd_race_access first = hd_race_first(r);

    if (first.position == r->race->nskipped + nevents && first.tid < HD_MAX_THREADS)
        add_access(r, s, &first);
}

/* Adds the accesses to variables that come after `nevents` events. */
static void add_variables(const struct hd_report *r, struct hd_steps *s, uint32_t *next, uint32_t nevents)
{
    for (; *next < s->variables.n && s->variables.all[*next].access->position <= nevents; (*next)++) {
        const struct hd_variable *v = &s->variables.all[*next];

        if (v->access->tid >= HD_MAX_THREADS)
            continue;
        struct hd_step *step = add(s, HD_STEP_VARIABLE, v->access->tid);

        step->variable = v;
        step->pc = hd_accesses_place(r, v->access);
    }
}

static void add_waiting(const struct hd_report *r, struct hd_steps *s)
{
    for (uint32_t t = 0; t < r->nthreads && t < HD_MAX_THREADS; t++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)t);

        if (e == NULL || hd_deadlock_runs_on(r, (hd_tid)t))
            continue;
        add_event(r, s, HD_STEP_WAITS, e, (hd_tid)t);
        s->all[s->n - 1].decisive = true;
    }
}

static void add_end(const struct hd_report *r, struct hd_steps *s)
{
    const struct hd_finding *f = r->finding;

    if (f->kind == HD_FK_DEADLOCK || f->kind == HD_FK_LIVELOCK) {
        add_waiting(r, s);
    } else if (r->race != NULL) {
        add_access(r, s, &r->race->race.second);
    } else if (f->tid < HD_MAX_THREADS) {
        struct hd_step *step = add(s, HD_STEP_FAILS, (hd_tid)f->tid);

        step->pc = f->pc;
        step->decisive = true;
    }
}

void hd_steps_of(const struct hd_report *r, struct hd_steps *s)
{
    struct hd_decisive decisive;
    uint32_t variable = 0;

    hd_decisive_find(r, &decisive);
    hd_variables_find(r, &decisive, &s->variables);
    /* room for the events, variables, both accesses of a race, and the pending operation of each thread */
    s->all = hd_zeroed((size_t)r->nevents + s->variables.n + HD_MAX_THREADS + 2, sizeof *s->all);
    s->n = 0;
    for (uint32_t i = 0; i < r->nevents; i++) {
        add_first(r, s, i);
        add_variables(r, s, &variable, i);
        if (!is_shown(&r->events[i]))
            continue;
        add_event(r, s, HD_STEP_EVENT, &r->events[i], r->events[i].tid);
        s->all[s->n - 1].decisive = is_decisive(r, i);
    }
    add_first(r, s, r->nevents);
    add_variables(r, s, &variable, UINT32_MAX);
    add_end(r, s);
}

void hd_steps_free(struct hd_steps *s)
{
    free(s->all);
    hd_variables_free(&s->variables);
}

void hd_step_text(const struct hd_report *r, const struct hd_step *s, char *buf, size_t cap)
{
    struct hd_operation o;
    char what[512];

    switch (s->type) {
    case HD_STEP_EVENT:
        hd_describe_operation(r, s->event, buf, cap);
        break;
    case HD_STEP_ACCESS:
        hd_race_operation(r, &s->access, &o);
        hd_describe_join(&o, buf, cap);
        break;
    case HD_STEP_VARIABLE:
        hd_variable_operation(r, s->variable, &o);
        hd_describe_join(&o, buf, cap);
        break;
    case HD_STEP_FAILS:
        snprintf(buf, cap, "%s", hd_finding_kind_text((enum hd_finding_kind)r->finding->kind));
        break;
    case HD_STEP_WAITS:
        hd_describe_pending(r, s->event, what, sizeof what);
        snprintf(buf, cap, "%s: %s", r->finding->kind == HD_FK_DEADLOCK ? "waits" : "next", what);
        break;
    }
}
