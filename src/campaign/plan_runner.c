/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan_runner.c - asking a worker for executions (model/plan.h) and reading what came of them.
 *
 * The target is watched over by a process of its own, which shares the wire: this one only
 * asks and looks.  Between two plans the worker touches neither findings nor execution, so
 * that they can be read and cleared here. */
#include "campaign/plan_runner.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "campaign/child_session.h"
#include "campaign/configure.h"
#include "campaign/recorded.h"
#include "campaign/signals.h"
#include "conductor/use.h"

enum { AWAKE_ROUNDS = 200, PAUSE_NS = 50000 };

static void configure(struct hd_config *c)
{
    hd_configure_strategy(c, "follow", "");
    c->many = 1;
    c->max_executions = 0;
    c->keep_going = 1;
    c->show_output = 0;
}

bool hd_plan_runner_start(struct hd_plan_runner *t, struct hd_session *s,
                    const struct hd_schedule *schedule, uint64_t wanted, double last)
{
    *t = (struct hd_plan_runner){ .s = s, .schedule = schedule, .wanted = wanted, .until = last, .last = last,
                            .start = hd_seconds_now() };
    t->steps = calloc(HD_MAX_STEPS, sizeof *t->steps);
    HD_INVARIANT(t->steps != NULL, "out of memory");
    configure(&s->wire->config);
    s->wire->nrecorded = 0;
    s->asked_from_outside = true;
    s->deaf = true;
    t->watcher = hd_child_session_fork();
    if (t->watcher == 0) {
        hd_session_run(s, 0);
        _exit(HD_EXIT_CLEAN);
    }
    return t->watcher > 0;
}

void hd_plan_runner_end(struct hd_plan_runner *t)
{
    if (t->watcher > 0) {
        __atomic_store_n(&t->s->wire->stop, 1, __ATOMIC_RELEASE);
        if (t->s->wire->plan.asked != hd_campaign_totals(&t->s->wire->campaign)->cursor.w[0])
            kill(t->watcher, SIGKILL); /* it hangs, and would be waited for */
        hd_child_session_wait(t->watcher);
    }
    free(t->steps);
}

/* ---- asking ------------------------------------------------------------------------------------- */

static bool is_answered(const struct hd_wire *w)
{
    return hd_campaign_totals(&w->campaign)->cursor.w[0] == w->plan.asked;
}

static bool is_interrupted(const struct hd_plan_runner *t)
{
    return !t->must && hd_signals_wait();
}

/* Time in which a busy machine let nobody run does not count. */
static bool is_over(struct hd_plan_runner *t, double until)
{
    double now = hd_seconds_now();
    bool over = now > until && now - hd_use_waited(t->s->wire, (now - t->start) * 1e3) > until;

    t->over |= over;
    return over;
}

/* False: it takes too long, or there is nobody to answer. */
static bool await(struct hd_plan_runner *t, double until)
{
    struct timespec pause = { 0, PAUSE_NS };

    for (unsigned round = 0; !is_answered(t->s->wire); round++) {
        if (round < AWAKE_ROUNDS) {
            sched_yield();
            continue;
        }
        if (is_over(t, until) || is_interrupted(t))
            return false;
        if (waitpid(t->watcher, NULL, WNOHANG) == t->watcher) {
            t->watcher = 0;
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

/* As if nothing had been run before: what is known is not reported again. */
static void forget(struct hd_wire *w)
{
    w->nfindings = w->nstopping = w->nsettled = 0;
    w->nwarnings = 0;
    w->findings_used = 0;
    w->common->found = 0;
    w->leaks.executions = 0;
}

static void ask(struct hd_wire *w, const struct hd_decision *plan, uint32_t n)
{
    forget(w);
    for (uint32_t i = 0; i < n; i++)
        w->recorded[i] = plan[i];
    w->plan.nsteps = n;
    __atomic_store_n(&w->plan.asked, w->plan.asked + 1, __ATOMIC_RELEASE);
}

/* ---- what came of it ---------------------------------------------------------------------------- */

static const struct hd_finding *find(const struct hd_plan_runner *t)
{
    const struct hd_wire *w = t->s->wire;

    if (t->wanted == 0)
        return hd_recorded_find(t->s, t->schedule);
    for (const struct hd_finding *f = hd_wire_finding_first(w); f != NULL;
         f = hd_wire_finding_next(w, f))
        if (f->warning == HD_WARN_NONE && f->occurrence == t->wanted)
            return f;
    return NULL;
}

void hd_plan_runner_by_slot(const struct hd_decision *d, uint32_t n, const struct hd_thread_info *threads,
                      uint32_t nthreads, struct hd_decision *out)
{
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (struct hd_decision){ d[i].chosen, d[i].alternatives, 0 };
        if (d[i].alternatives == 0 && d[i].chosen < nthreads)
            out[i].chosen = threads[d[i].chosen].slot;
    }
}

const void *hd_plan_runner_section(const struct hd_finding *f, enum hd_section_type type, uint32_t *n)
{
    const struct hd_section *s = hd_finding_section(f, type, HD_NO_TID);

    *n = s != NULL ? s->count : 0;
    return s != NULL ? s + 1 : NULL;
}

static void read_finding(struct hd_plan_runner *t, struct hd_tried *out)
{
    uint32_t n, nthreads;
    const struct hd_decision *d = hd_plan_runner_section(t->found, HD_SEC_DECISIONS, &n);
    const struct hd_thread_info *threads = hd_plan_runner_section(t->found, HD_SEC_THREADS, &nthreads);

    hd_plan_runner_by_slot(d, n, threads, nthreads, t->steps);
    *out = (struct hd_tried){ .same = true, .preemptions = t->found->preemptions,
                              .steps = t->steps, .nsteps = n };
    out->events = hd_plan_runner_section(t->found, HD_SEC_EVENTS, &out->nevents);
}

/* Has nothing failed?  Races are not what is being looked for, and may not have been looked
 * for in the search at all. */
static bool is_clean(const struct hd_wire *w)
{
    for (const struct hd_finding *f = hd_wire_finding_first(w); f != NULL;
         f = hd_wire_finding_next(w, f))
        if (f->warning == HD_WARN_NONE && f->kind != HD_FK_DATA_RACE)
            return false;
    return w->plan.ending == HD_END_CLEAN;
}

static void read_execution(struct hd_plan_runner *t, struct hd_tried *out)
{
    const struct hd_wire *w = t->s->wire;
    const struct hd_execution *x = &w->exec;

    hd_plan_runner_by_slot(x->decisions, x->nsteps, x->threads, x->nthreads, t->steps);
    *out = (struct hd_tried){ .clean = is_clean(w),
                              .preemptions = x->preemptions, .steps = t->steps,
                              .nsteps = x->nsteps, .events = x->events, .nevents = x->nevents };
}

bool hd_plan_runner_run(void *tries, const struct hd_decision *plan, uint32_t n, struct hd_tried *out)
{
    struct hd_plan_runner *t = tries;

    if (t->watcher == 0 || n > HD_MAX_STEPS || is_over(t, t->until) ||
        is_interrupted(t) || !await(t, t->until)) /* the one before may still run */
        return false;
    ask(t->s->wire, plan, n);
    if (!await(t, t->last))
        return false;
    t->found = find(t);
    if (t->found != NULL)
        read_finding(t, out);
    else
        read_execution(t, out);
    t->passed |= out->clean;
    return true;
}
