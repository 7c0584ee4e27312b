/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.c - minimises in three phases, each with its share of the time.  1: make the schedule
 * smaller step by step (shrink/shrink.h).  2: search all schedules with fewer preemptions, so that
 * the number of preemptions is the smallest possible.  3: compare the result with similar schedules
 * to find the cause (shrink/cause.h).
 *
 * All phases run in a child (child_session.h), which has its own wire.  It returns the record of
 * the finding and the names of its objects in a struct hd_minimized. */
#include "campaign/rerun/minimize.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/rerun/child_session.h"
#include "campaign/rerun/plan_runner.h"
#include "campaign/setup/configure.h"
#include "report/evidence/describe.h"
#include "report/verdict/claim.h"

enum { REPLAY_MS = 20000, GRACE_MS = 1000 };

/* When each phase ends, in percent of the whole time. */
enum { UNTIL_SHRUNK = 40, UNTIL_SEARCHED = 75, UNTIL_POLISHED = 85 };

#define DATA_BYTES (HD_FINDINGS_BYTES + HD_MAX_OBJECTS * sizeof(struct hd_object_info))

struct job {
    const struct hd_schedule *schedule;
    uint64_t occurrence;
    double start, seconds;
    struct hd_minimized *out;
};

static double at_percent(const struct job *j, unsigned percent)
{
    return j->start + j->seconds * percent / 100;
}

/* ---- schedules with fewer preemptions ------------------------------------------------------------ */

/* Input and result of the search, in memory shared with its process. */
struct bounded {
    uint32_t bound;
    uint64_t wanted;
    char strategy[16];
    double until;
    bool exhausted; /* the search ended before the time limit */
    bool complete;  /* all schedules within the bound were run, or are equivalent to one that was */
    uint32_t nslots, nsteps; /* sizes of the schedule that was found; 0: no schedule was found */
    struct hd_slot slot[HD_MAX_THREADS];
    struct hd_decision step[HD_MAX_STEPS]; /* threads by slot, as numbered in `slot` */
};

static void take_finding(const struct hd_wire *w, struct bounded *b)
{
    for (const struct hd_finding *f = hd_wire_finding_first(w); f != NULL;
         f = hd_wire_finding_next(w, f)) {
        const struct hd_section *d = hd_finding_section(f, HD_SEC_DECISIONS, HD_NO_TID);
        const struct hd_section *threads = hd_finding_section(f, HD_SEC_THREADS, HD_NO_TID);

        if (f->occurrence != b->wanted || f->warning != HD_WARN_NONE || d == NULL || threads == NULL)
            continue;
        hd_plan_runner_by_slot((const void *)(d + 1), d->count, (const void *)(threads + 1),
                         threads->count, b->step);
        b->nslots = hd_common_slots(w->common, b->slot);
        b->nsteps = d->count;
        return;
    }
}

static void search_bounded(struct hd_session *s, void *ctx)
{
    struct bounded *b = ctx;
    struct hd_config *c = &s->wire->config;
    struct hd_result r;

    /* Bounded strategies do not support waiting loops whose idle rounds are left out (runtime/progress/await.h). */
    if (c->awaits && s->wire->common->waits[0].name != 0)
        return;
    hd_configure_strategy(c, b->strategy, "");
    c->bound = b->bound;
    c->wanted = b->wanted;
    c->many = 1;
    c->max_executions = 0;
    c->show_output = 0;
    s->wire->nrecorded = 0;
    s->own_time = true;
    double left = b->until - hd_seconds_now();

    if (left < 0.01 || hd_session_run(s, (uint64_t)(left * 1e3)) != HD_EXIT_CLEAN)
        return;
    take_finding(s->wire, b);
    hd_session_result(s, &r);
    b->exhausted = r.totals.exhausted;
    b->complete = hd_result_complete(&r);
}

/* Converts the slots of the schedule that was found to slots of this process: a thread that the
 * original schedule does not contain may have another slot here. */
static void translate(struct hd_common *common, struct bounded *b)
{
    uint16_t here[HD_MAX_THREADS] = { 0 };

    for (uint32_t i = 1; i < b->nslots; i++)
        here[i] = (uint16_t)hd_common_slot(common, here[b->slot[i].parent], b->slot[i].nth);
    for (uint32_t i = 0; i < b->nsteps; i++)
        if (b->step[i].alternatives == 0 && b->step[i].chosen < b->nslots)
            b->step[i].chosen = here[b->step[i].chosen];
}

/* Runs the plan that the search found in this process's target and minimises it.  Replaces *best if
 * the result is smaller. */
static void adopt(struct hd_plan_runner *t, struct bounded *b, struct hd_shrunk *best)
{
    struct hd_shrunk other;

    translate(t->s->wire->common, b);
    hd_shrink(hd_plan_runner_run, t, b->step, b->nsteps, &other);
    if (other.steps != NULL && hd_measure_less(&other.measure, &best->measure)) {
        struct hd_shrunk old = *best;

        *best = other;
        other = old;
    }
    free(other.steps);
}

/* Searches with a cache of states first, because that is fast.  If the program does something that
 * the cache does not model, searches all schedules one by one. */
static void search_both_ways(const struct job *j, const struct hd_session *s, struct bounded *b)
{
    snprintf(b->strategy, sizeof b->strategy, "ipb+cache");
    hd_child_session(s, j->schedule, search_bounded, b);
    if (b->nsteps > 0 || b->complete || !b->exhausted)
        return;
    snprintf(b->strategy, sizeof b->strategy, "ipb");
    hd_child_session(s, j->schedule, search_bounded, b);
}

/* On a busy machine the search may end long after `until`, because its budget counts only the time in which its
 * processes ran.  The later phases still get their share of the time: otherwise both the schedule that was found
 * and the one from before the search would be lost. */
static void allow_for_delay(struct job *j, struct hd_plan_runner *t, double until)
{
    double late = hd_seconds_now() - until;

    if (late > 0) {
        j->start += late;
        t->last += late;
    }
}

static void search_fewer(struct job *j, struct hd_plan_runner *t, struct hd_shrunk *best)
{
    struct bounded *b;

    if (best->measure.preemptions == 0)
        j->out->fewest = HD_FEWEST_PROVED;
    if (best->measure.preemptions == 0 || (b = hd_child_session_memory(sizeof *b)) == NULL)
        return;
    b->bound = best->measure.preemptions - 1;
    b->wanted = t->wanted;
    b->until = at_percent(j, UNTIL_SEARCHED);
    search_both_ways(j, t->s, b);
    allow_for_delay(j, t, b->until);
    j->out->early |= b->nsteps == 0 && !b->exhausted;
    t->until = at_percent(j, UNTIL_POLISHED);
    if (b->nsteps > 0)
        adopt(t, b, best);
    /* the search tries smaller bounds first, so its first finding has the fewest preemptions */
    if (b->nsteps > 0 ? best->measure.preemptions <= b->bound : b->complete)
        j->out->fewest = HD_FEWEST_PROVED;
    munmap(b, sizeof *b);
}

/* ---- minimising in the child --------------------------------------------------------- */

static void tell_of_block(const struct hd_finding *f, struct hd_failure *out)
{
    uint32_t n;
    const struct hd_block_info *b = hd_plan_runner_section(f, HD_SEC_BLOCK, &n);

    if (f->kind != HD_FK_USE_AFTER_FREE || b == NULL || b->freed.pc == 0 || b->freed.tid == f->tid)
        return;
    out->used = true;
    out->user = (hd_tid)f->tid;
    out->freer = b->freed.tid;
    out->freed_at = b->freed.step;
}

/* Determines the cause.  It compares with a copy of the record, because the next run overwrites the
 * record. */
static void explain(struct hd_plan_runner *t, const struct hd_shrunk *best, struct hd_cause *out)
{
    struct hd_finding *f = hd_zeroed(t->found->size, 1);
    struct hd_failure of = { .steps = best->steps, .nsteps = best->nsteps };
    uint32_t n;

    memcpy(f, t->found, t->found->size);
    of.events = hd_plan_runner_section(f, HD_SEC_EVENTS, &of.nevents);
    of.threads = hd_plan_runner_section(f, HD_SEC_THREADS, &of.nthreads);
    of.pending = hd_plan_runner_section(f, HD_SEC_PENDING, &n);
    tell_of_block(f, &of);
    if (of.nevents < HD_EVENTS_KEPT && n == of.nthreads)
        hd_cause_find(hd_plan_runner_run, t, &of, out);
    out->passes |= t->passed;
    free(f);
}

void hd_minimized_take(const struct hd_plan_runner *t, struct hd_minimized *m)
{
    const struct hd_wire *w = t->s->wire;
    uint32_t n = w->common->nobjects < HD_MAX_OBJECTS ? w->common->nobjects : HD_MAX_OBJECTS;

    /* A report does not read the witness.  In the common part it reads only slots, objects and the expected text. */
    memcpy(&m->wire, w, offsetof(struct hd_wire, witness));
    memcpy(m->common.slots, w->common->slots, sizeof m->common.slots);
    if (w->common->expected.state == HD_EXPECTED_KNOWN)
        memcpy(&m->common.expected, &w->common->expected,
               offsetof(struct hd_expected, text) + w->common->expected.size);
    m->nobjects = n;
    m->record_size = t->found->size;
    memcpy(m->data, w->common->objects, n * sizeof *w->common->objects);
    memcpy(m->data + n * sizeof *w->common->objects, t->found, t->found->size);
    m->found = true;
}

static bool first_run(struct hd_plan_runner *t, const struct job *j, struct hd_decision *plan, uint32_t n)
{
    struct hd_tried tried;

    for (uint32_t i = 0; i < n; i++) {
        const struct hd_decision *d = &j->schedule->steps[i].decision;
        bool known = d->alternatives == 0 && d->chosen < j->schedule->nthreads;

        plan[i] = (struct hd_decision){ known ? j->schedule->threads[d->chosen].slot : d->chosen,
                                        d->alternatives, 0 };
    }
    if (!hd_plan_runner_run(t, plan, n, &tried) || !tried.same)
        return false;
    t->wanted = t->found->occurrence;
    j->out->before = hd_measure(&tried);
    j->out->again = true;
    return true;
}

static void minimise(struct job *j, struct hd_plan_runner *t, const struct hd_decision *plan)
{
    struct hd_minimized *m = j->out;
    struct hd_shrunk best;
    struct hd_tried tried;

    t->until = at_percent(j, UNTIL_SHRUNK);
    hd_shrink(hd_plan_runner_run, t, plan, j->schedule->nsteps, &best);
    if (best.steps != NULL) {
        search_fewer(j, t, &best);
        m->after = best.measure;
        t->until = t->last;
        t->must = true;
        if (hd_plan_runner_run(t, best.steps, best.nsteps, &tried) && tried.same) {
            hd_minimized_take(t, m);
            t->must = false;
            t->until = at_percent(j, 100);
            explain(t, &best, &m->cause);
        }
    }
    free(best.steps);
}

static void in_child(struct hd_session *s, void *ctx)
{
    struct job *j = ctx;
    uint32_t n = j->schedule->nsteps;
    struct hd_decision *plan = hd_zeroed((size_t)n + 1, sizeof *plan);
    struct hd_plan_runner t;

    if (hd_plan_runner_start(&t, s, j->schedule, j->occurrence,
                       at_percent(j, 100) + GRACE_MS / 1e3) &&
        first_run(&t, j, plan, n))
        minimise(j, &t, plan);
    j->out->early |= t.over;
    hd_plan_runner_end(&t);
    free(plan);
}

/* ---- interface for the parent process ------------------------------------------------ */

bool hd_minimize_allowed(enum hd_finding_kind kind)
{
    return kind != HD_FK_NONDETERMINISM;
}

struct hd_minimized *hd_minimize(const struct hd_session *s, const struct hd_schedule *schedule,
                                 uint64_t occurrence, uint64_t budget_ms, bool *slow)
{
    struct job j = { .schedule = schedule, .occurrence = occurrence, .start = hd_seconds_now(),
                     .seconds = (double)budget_ms / 1e3 };

    *slow = false;
    if (!hd_minimize_allowed(schedule->kind) || !hd_can_fix_addresses())
        return NULL;
    j.out = hd_minimized_new();
    if (j.out == NULL)
        return NULL;
    hd_child_session(s, schedule, in_child, &j);
    *slow = j.out->again || hd_seconds_now() > j.start + j.seconds;
    if (j.out->found)
        return j.out;
    hd_minimized_free(j.out);
    return NULL;
}

struct hd_minimized *hd_minimized_new(void)
{
    return hd_child_session_memory(sizeof(struct hd_minimized) + DATA_BYTES);
}

void hd_minimized_free(struct hd_minimized *m)
{
    if (m != NULL)
        munmap(m, sizeof *m + DATA_BYTES);
}

void hd_minimized_report(struct hd_minimized *m, struct hd_symbols *symbols, struct hd_report *r)
{
    unsigned char *record = m->data + m->nobjects * sizeof *m->common.objects;

    m->wire.common = &m->common;
    m->wire.findings = record;
    m->wire.findings_used = m->record_size;
    m->common.objects = (struct hd_object_info *)(void *)m->data;
    m->common.nobjects = (uint32_t)m->nobjects;
    hd_report_open(r, &m->wire, (const struct hd_finding *)(const void *)record, symbols);
}

void hd_minimized_schedule(const struct hd_report *r, const struct hd_schedule *original,
                           struct hd_schedule *out)
{
    hd_schedule_like(out, original);
    hd_report_schedule(r, out);
    out->execution = original->execution;
}

/* ---- checking the result by a replay ------------------------------------------------- */

struct check {
    uint64_t occurrence;
    bool *shows; /* points into memory that the parent shares */
};

static void check(struct hd_session *s, void *ctx)
{
    struct check *c = ctx;

    s->leaves_signals = true;
    s->own_time = true;
    if (hd_session_run(s, REPLAY_MS) != HD_EXIT_CLEAN || s->wire->exec.ending == HD_END_DIVERGED)
        return;
    for (const struct hd_finding *f = hd_wire_finding_first(s->wire); f != NULL;
         f = hd_wire_finding_next(s->wire, f))
        *c->shows |= f->occurrence == c->occurrence;
}

bool hd_minimize_replays(const struct hd_session *s, const struct hd_schedule *schedule,
                         uint64_t occurrence)
{
    struct check c = { occurrence, hd_child_session_memory(sizeof *c.shows) };
    bool shows = false;

    if (c.shows == NULL)
        return false;
    hd_child_session(s, schedule, check, &c);
    shows = *c.shows;
    munmap(c.shows, sizeof *c.shows);
    return shows;
}
