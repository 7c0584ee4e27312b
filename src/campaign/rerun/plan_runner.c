/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan_runner.c - requests executions from a worker (model/plan.h) and reads their results.
 *
 * A separate process watches the target and shares the wire; this process only requests and reads.
 * Between two plans the worker accesses neither the findings nor the execution, so this process may
 * read and clear them. */
#include "campaign/rerun/plan_runner.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/rerun/child_session.h"
#include "campaign/rerun/recorded.h"
#include "campaign/setup/configure.h"
#include "conductor/signals.h"
#include "conductor/use.h"

enum { AWAKE_ROUNDS = 100, PAUSE_NS = 1000000 };

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
    t->steps = hd_zeroed(HD_MAX_STEPS, sizeof *t->steps);
    configure(&s->wire->config);
    s->wire->nrecorded = 0;
    s->asked_from_outside = true;
    s->leaves_signals = true;
    t->watcher = hd_child_session_fork();
    if (t->watcher == 0) {
        hd_session_run(s, 0);
        _exit(HD_EXIT_CLEAN);
    }
    return t->watcher > 0;
}

static void wake_worker(struct hd_wire *w)
{
    syscall(SYS_futex, &w->plan.asked, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void hd_plan_runner_end(struct hd_plan_runner *t)
{
    if (t->watcher > 0) {
        __atomic_store_n(&t->s->wire->stop, 1, __ATOMIC_RELEASE);
        wake_worker(t->s->wire);
        if (t->s->wire->plan.asked != hd_campaign_totals(&t->s->wire->campaign)->cursor.w[0])
            kill(t->watcher, SIGKILL); /* the target hangs, and the watcher would wait for its end */
        hd_child_session_wait(t->watcher);
    }
    free(t->steps);
}

/* ---- requesting an execution --------------------------------------------------------- */

static bool is_answered(const struct hd_wire *w)
{
    return hd_campaign_totals(&w->campaign)->cursor.w[0] == w->plan.asked;
}

static bool is_interrupted(const struct hd_plan_runner *t)
{
    return !t->must && hd_signals_wait();
}

/* True if the time limit is over.  Time in which a busy machine did not run the target does not count. */
static bool is_over(struct hd_plan_runner *t, double until)
{
    double now = hd_seconds_now();
    bool over = now > until && now - hd_use_wait_time(t->s->wire, (now - t->start) * 1e3) > until;

    t->over |= over;
    return over;
}

/* Waits for the result of the plan.  Returns false if the time limit is reached, a signal of the
 * user arrives, or the watcher has ended.  Most executions are shorter than a sleep, so at first
 * this process only yields the processor. */
static bool await(struct hd_plan_runner *t, double until)
{
    const struct timespec pause = { 0, PAUSE_NS };
    uint32_t *answers = &t->s->wire->plan.answers;

    for (unsigned round = 0;; round++) {
        uint32_t seen = __atomic_load_n(answers, __ATOMIC_ACQUIRE);

        if (is_answered(t->s->wire))
            return true;
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
        syscall(SYS_futex, answers, FUTEX_WAIT, seen, &pause, NULL, 0);
    }
}

/* Clears the findings of earlier runs.  Otherwise the worker would not report a known finding
 * again. */
static void forget(struct hd_wire *w)
{
    w->nfindings = w->nstopping = w->nsettled = 0;
    w->nwarnings = 0;
    w->findings_used = 0;
    w->common->found = 0;
    if (w->config.replay) /* otherwise earlier runs are needed to recognise leaks */
        w->leaks.executions = 0;
}

static void ask(struct hd_wire *w, const struct hd_decision *plan, uint32_t n)
{
    forget(w);
    for (uint32_t i = 0; i < n; i++)
        w->recorded[i] = plan[i];
    w->plan.nsteps = n;
    __atomic_store_n(&w->plan.asked, w->plan.asked + 1, __ATOMIC_RELEASE);
    wake_worker(w);
}

/* ---- reading the result -------------------------------------------------------------- */

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
                              .steps = t->steps, .nsteps = n, .threads = threads, .nthreads = nthreads };
    out->events = hd_plan_runner_section(t->found, HD_SEC_EVENTS, &out->nevents);
    if (out->nevents == HD_EVENTS_KEPT) /* the first events may be missing */
        out->nevents = 0;
}

/* True if nothing has failed.  Data races do not count: the search may not have looked for them. */
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
                              .nsteps = x->nsteps, .events = x->events, .nevents = x->nevents,
                              .threads = x->threads, .nthreads = x->nthreads };
}

bool hd_plan_runner_run(void *tries, const struct hd_decision *plan, uint32_t n, struct hd_tried *out)
{
    struct hd_plan_runner *t = tries;

    if (t->watcher == 0 || n > HD_MAX_STEPS || is_over(t, t->until) ||
        is_interrupted(t) || !await(t, t->until)) /* the previous plan may still run */
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
