/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recheck.c - runs a recorded schedule again after an edit.
 *
 * If the schedule passes, that may only mean that the edit has moved the failure to another schedule.  So unless
 * the program makes exactly the recorded operations, executions near the schedule are run as well: with switches a
 * little earlier or later, with one switch more or less, or with random switches from some point on. */
#include "campaign/rerun/recheck.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/rng.h"
#include "campaign/rerun/child_session.h"
#include "campaign/rerun/edited.h"
#include "campaign/rerun/recorded.h"
#include "report/evidence/describe.h"
#include "report/evidence/lasting.h"

struct job {
    const struct hd_schedule *recorded, *settings;
    uint64_t near;
    double until;
    struct hd_rechecked *out;   /* like `found`, points into memory that the parent shares */
    struct hd_minimized *found;
};

struct look {
    struct hd_edited e;
    struct hd_plan_runner t;
    struct job *j;
};

/* ---- settings -------------------------------------------------------------------------------- */

/* The schedule names racing places by address, and another build has other addresses.  So all plain accesses
 * become scheduling points instead.  Filtering by the functions of these places would be wrong: it would also
 * remove the synchronisation points of all other functions, at which the schedule may switch. */
static void replace_sites(struct hd_schedule *out)
{
    free(out->sites);
    out->sites = NULL;
    out->nsites = 0;
    if (out->points == HD_POINTS_RACES)
        out->points = HD_POINTS_ALL;
}

static void keep_filters(const struct hd_session *s, const struct hd_schedule *recorded, struct hd_schedule *out)
{
    out->nfilters = 0;
    for (uint32_t i = 0; i < recorded->nfilters; i++)
        if (hd_session_has_function(s, recorded->filters[i].function))
            hd_schedule_add_filter(out, recorded->filters[i].within, recorded->filters[i].function);
}

void hd_recheck_settings(struct hd_session *s, const struct hd_schedule *recorded, struct hd_schedule *out)
{
    char build_id[65], here[4096];

    hd_schedule_like(out, recorded);
    hd_describe_build_id(s->elf.build_id, s->elf.build_id_len, build_id, sizeof build_id);
    out->program = hd_schedule_string(out, s->program);
    out->directory = getcwd(here, sizeof here) != NULL ? hd_schedule_string(out, here) : "";
    out->build_id = hd_schedule_string(out, build_id);
    out->why = "";
    out->nwaits = out->ndecisive = 0;
    out->awaits = 0; /* the places of waiting loops are addresses, too */
    keep_filters(s, recorded, out);
    replace_sites(out);
    hd_schedule_reserve(out, recorded->nslots, 0, 0);
    memcpy(out->slots, recorded->slots, recorded->nslots * sizeof *out->slots);
}

/* ---- judging an execution ---------------------------------------------------------------------- */

static bool is_same(struct look *l, const struct hd_finding *f)
{
    struct hd_session *s = l->t.s;
    struct hd_report r;

    if (f->kind != (uint32_t)l->j->recorded->kind)
        return false;
    if (f->kind != HD_FK_DATA_RACE || l->j->recorded->about[0] == '\0')
        return true;
    hd_report_open(&r, s->wire, f, hd_session_symbols(s));
    return r.race != NULL && hd_edited_is_object(&l->e, l->j->recorded->about,
                                                 hd_lasting_memory(r.symbols, r.race->name));
}

/* True for failures other than the recorded one.  Data races do not count: the schedule was recorded for something
 * else. */
static bool is_other_failure(const struct hd_finding *f)
{
    return f->kind != HD_FK_DATA_RACE && f->kind != HD_FK_NONDETERMINISM;
}

static bool judge(void *ctx)
{
    struct look *l = ctx;
    struct hd_rechecked *out = l->j->out;
    const struct hd_wire *w = l->t.s->wire;

    for (const struct hd_finding *f = hd_wire_finding_first(w); f != NULL; f = hd_wire_finding_next(w, f)) {
        if (f->warning != HD_WARN_NONE)
            continue;
        bool same = is_same(l, f);

        if (!same && (out->end == HD_RECHECK_OTHERWISE || !is_other_failure(f)))
            continue;
        l->t.found = f;
        hd_minimized_take(&l->t, l->j->found);
        out->end = same ? HD_RECHECK_FAILS : HD_RECHECK_OTHERWISE;
        if (same)
            return true;
    }
    return false;
}

/* ---- executions near the schedule --------------------------------------------------------------- */

struct near {
    struct hd_rng rng;
    struct hd_decision *plan;
    uint32_t n;
    uint32_t nslots;
};

/* Inserts n steps of a thread before step `at`. */
static void insert(struct near *v, uint32_t at, uint16_t slot, uint32_t n)
{
    if (v->n + n > HD_MAX_STEPS)
        return;
    memmove(v->plan + at + n, v->plan + at, (v->n - at) * sizeof *v->plan);
    for (uint32_t i = 0; i < n; i++)
        v->plan[at + i] = (struct hd_decision){ slot, 0, 0 };
    v->n += n;
}

static void erase(struct near *v, uint32_t at, uint32_t n)
{
    n = n < v->n - at ? n : v->n - at;
    memmove(v->plan + at, v->plan + at + n, (v->n - at - n) * sizeof *v->plan);
    v->n -= n;
}

/* Returns the first step, from a random one on, at which the plan switches threads; or the end of the plan. */
static uint32_t some_switch(struct near *v)
{
    uint32_t at = hd_rng_below(&v->rng, v->n + 1);

    while (at > 0 && at < v->n && v->plan[at].chosen == v->plan[at - 1].chosen)
        at++;
    return at;
}

static void continue_at_random(struct near *v, uint32_t at)
{
    enum { RUNS = 16, LENGTH = 4 };

    v->n = at;
    for (unsigned i = 0; i < RUNS; i++)
        insert(v, v->n, (uint16_t)hd_rng_below(&v->rng, v->nslots), 1 + hd_rng_below(&v->rng, LENGTH));
}

static void change(struct near *v)
{
    enum { FEW = 4, WAYS = 5 };
    uint32_t at = some_switch(v), n = 1 + hd_rng_below(&v->rng, FEW);

    switch (hd_rng_below(&v->rng, WAYS)) {
    case 0: /* make the switch later */
        insert(v, at, at > 0 ? v->plan[at - 1].chosen : 0, n);
        break;
    case 1: /* make it earlier */
        erase(v, at > n ? at - n : 0, n);
        break;
    case 2: /* let another thread run in between */
        insert(v, at, (uint16_t)hd_rng_below(&v->rng, v->nslots), n);
        break;
    case 3:
        insert(v, hd_rng_below(&v->rng, v->n + 1), (uint16_t)hd_rng_below(&v->rng, v->nslots), n);
        break;
    default:
        continue_at_random(v, hd_rng_below(&v->rng, v->n + 1));
    }
}

static void search_near(struct look *l)
{
    struct near v = { .plan = hd_zeroed(HD_MAX_STEPS, sizeof *v.plan) };
    bool runs = true;

    for (uint64_t i = 0; i < l->j->near && runs; i++) {
        v.rng = hd_rng_for(l->j->recorded->seed, i);
        v.n = l->e.nplan;
        v.nslots = l->t.s->wire->exec.nthreads;
        memcpy(v.plan, l->e.plan, v.n * sizeof *v.plan);
        for (unsigned k = 1 + hd_rng_below(&v.rng, 3); k > 0; k--)
            change(&v);
        runs = hd_edited_run(&l->e, v.plan, v.n);
    }
    l->j->out->near = l->e.decided;
    free(v.plan);
}

/* ---- in the child -------------------------------------------------------------------------------- */

/* Determines the result.  failed: the schedule itself could not be followed to its end.  If time was too short for
 * executions near it, that is no failure. */
static void conclude(const struct look *l, bool failed)
{
    struct hd_rechecked *out = l->j->out;
    const struct hd_edited *e = &l->e;

    out->switches = e->switches;
    out->followed = e->followed;
    out->held = e->held;
    out->exact = e->exact;
    out->executions = e->executions;
    if (out->end == HD_RECHECK_UNKNOWN && !failed)
        out->end = e->followed == e->switches ? HD_RECHECK_PASSES : HD_RECHECK_GONE;
}

static void in_child(struct hd_session *s, void *ctx)
{
    struct look l = { .j = ctx };

    /* The recorded place of a leak is an address of the old build, so leaks are recognised by comparison with
     * other executions. */
    if (l.j->recorded->kind == HD_FK_LEAK)
        s->wire->config.replay = 0;
    l.e = (struct hd_edited){ .t = &l.t, .recorded = l.j->recorded, .judge = judge, .ctx = &l };
    if (hd_plan_runner_start(&l.t, s, l.j->settings, 0, l.j->until)) {
        hd_edited_follow(&l.e);
        bool failed = l.e.failed;
        uint64_t n = l.e.executions;

        if (!l.e.decided && !(l.e.exact && l.e.followed == l.e.switches))
            search_near(&l);
        l.j->out->beside = l.e.executions - n;
        conclude(&l, failed);
    }
    hd_plan_runner_end(&l.t);
    hd_edited_free(&l.e);
}

void hd_recheck(const struct hd_session *s, const struct hd_schedule *recorded, const struct hd_schedule *settings,
                uint64_t near, uint64_t budget_ms, struct hd_rechecked *out)
{
    double start = hd_seconds_now();
    struct job j = { .recorded = recorded, .settings = settings, .near = near,
                     .until = start + (double)budget_ms / 1e3, .found = hd_minimized_new() };

    *out = (struct hd_rechecked){ .end = HD_RECHECK_UNKNOWN };
    j.out = hd_child_session_memory(sizeof *j.out);
    if (j.out != NULL && j.found != NULL) {
        hd_child_session(s, settings, in_child, &j);
        *out = *j.out;
    }
    if (j.out != NULL)
        munmap(j.out, sizeof *j.out);
    if (out->end == HD_RECHECK_FAILS || out->end == HD_RECHECK_OTHERWISE)
        out->found = j.found;
    else
        hd_minimized_free(j.found);
    out->seconds = hd_seconds_now() - start;
}
