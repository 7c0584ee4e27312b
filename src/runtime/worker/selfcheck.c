/* SPDX-License-Identifier: BSD-2-Clause
 *
 * selfcheck.c - runs one execution twice and compares the two, and the state that they leave. */

#include "runtime/worker/selfcheck.h"

#include <signal.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/kernel_state.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/race.h"
#include "runtime/worker/worker.h"
#include "wire/wire.h"

enum { LONGEST = 1 << 20, WHAT = 96 }; /* LONGEST: events; a longer execution costs more to repeat than a
                                        * new process */

static struct hd_kernel_state before, now;

/* A copy of the first execution, during its repetition. */
static struct {
    struct hd_execution head;
    struct hd_decision *decisions;
    uint32_t *stands;
    struct hd_event *events;
    void *memory;
    size_t bytes;
} first;

bool hd_selfcheck_begin(void)
{
    const struct hd_wire *w = hd.wire;
    bool checks = !w->forked && !w->proven && !hd_config_runs_once(&w->config) && w->config.max_executions != 1;

    hd_search_compare(&hd.search, checks);
    if (checks)
        hd_kernel_state_take(&before);
    return checks;
}

/* ---- saving the execution --------------------------------------------------------------- */

static bool keep(void)
{
    const struct hd_execution *x = hd.exec;
    size_t events = x->nevents * sizeof *x->events, decisions = x->nsteps * sizeof *x->decisions;

    first.bytes = events + decisions + x->nsteps * sizeof *x->stands + HD_PAGE;
    first.memory = x->nevents > LONGEST ? NULL : hd_mem_map(0, first.bytes, PROT_READ | PROT_WRITE);
    if (first.memory == NULL)
        return false;
    first.events = first.memory;
    first.decisions = (struct hd_decision *)(void *)((char *)first.memory + events);
    first.stands = (uint32_t *)(void *)((char *)first.decisions + decisions);
    hd_mem_copy(&first.head, x, sizeof first.head);
    hd_mem_copy(first.events, x->events, events);
    hd_mem_copy(first.decisions, x->decisions, decisions);
    hd_mem_copy(first.stands, x->stands, x->nsteps * sizeof *x->stands);
    return true;
}

static void put_back(void)
{
    struct hd_execution *x = hd.exec;

    hd_mem_copy(x, &first.head, sizeof *x);
    hd_mem_copy(x->events, first.events, x->nevents * sizeof *x->events);
    hd_mem_copy(x->decisions, first.decisions, x->nsteps * sizeof *x->decisions);
    hd_mem_copy(x->stands, first.stands, x->nsteps * sizeof *x->stands);
    hd_sys(SYS_munmap, first.memory, first.bytes, 0);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* True for operations of the target.  The other events record additional dependences of a step.  They may differ,
 * because the search finds more dependences over time. */
static bool is_an_operation(const struct hd_event *e)
{
    return e->kind != HD_EV_TOUCH && e->kind != HD_EV_CHANNEL;
}

static uint32_t next_operation(const struct hd_event *e, uint32_t i, uint32_t n)
{
    while (i < n && !is_an_operation(&e[i]))
        i++;
    return i;
}

/* Ignores whether a thread was preempted: that may depend on what the runtime knew about its waiting loop at the
 * time (progress/await.h). */
static bool same_event(const struct hd_event *a, struct hd_event b)
{
    b.flags = (uint8_t)((b.flags & ~HD_EVF_PREEMPTED) | (a->flags & HD_EVF_PREEMPTED));
    return hd_mem_equal(a, &b, sizeof b);
}

static bool same_events(const struct hd_execution *x)
{
    const struct hd_event *a = first.events, *b = x->events;
    uint32_t i = 0, k = 0;

    for (;; i++, k++) {
        i = next_operation(a, i, first.head.nevents);
        k = next_operation(b, k, x->nevents);
        if (i == first.head.nevents || k == x->nevents)
            return i == first.head.nevents && k == x->nevents;
        if (!same_event(&a[i], b[k]))
            return false;
    }
}

/* Returns the number of the step at which the repetition differs, UINT32_MAX if it does not. */
static uint32_t other_step(void)
{
    const struct hd_execution *x = hd.exec;

    for (uint32_t i = 0; i < x->nsteps && i < first.head.nsteps; i++)
        if (!hd_mem_equal(&x->decisions[i], &first.decisions[i], sizeof *x->decisions))
            return i;
    if (x->nsteps != first.head.nsteps || x->ending != first.head.ending || x->nthreads != first.head.nthreads ||
        x->exit_code != first.head.exit_code || !same_events(x))
        return x->nsteps;
    return UINT32_MAX;
}

static bool is_as_before(char *what)
{
    uintptr_t at = hd_snapshot_difference();

    at = at != 0 ? at : hd_fiber_difference();
    at = at != 0 ? at : hd_heap_difference();
    if (at != 0) {
        hd_format(what, WHAT, "the memory at 0x%lx", at);
        return false;
    }
    hd_kernel_state_take(&now);
    return hd_kernel_state_same(&before, &now, what, WHAT);
}

static uint64_t hash_of(const struct hd_execution *x)
{
    uint64_t h = hd_hash_mix(x->nsteps, x->ending);

    h = hd_hash_bytes(h, x->decisions, x->nsteps * sizeof *x->decisions);
    for (uint32_t i = 0; i < x->nevents; i++)
        if (is_an_operation(&x->events[i]))
            h = hd_hash_bytes(h, &x->events[i], sizeof x->events[i]);
    return h | 1;
}

/* ---- consequences ---------------------------------------------------------------------------- */

static void not_put_back(const char *what)
{
    char text[sizeof hd.wire->fork_reason];

    hd_format(text, sizeof text, "an execution changes %s, which is not put back", what);
    hd_needs_fork(text);
    hd.wire->proven = 1; /* the question is answered, whatever --isolation says */
}

/* C3: records the difference.  Under fork isolation, the first execution runs again in a new process. */
static void not_repeated(const char *how)
{
    char text[sizeof hd.wire->fork_reason];

    hd_format(text, sizeof text, "its first execution, run again in the same process, %s", how);
    hd_needs_fork(text);
    hd.wire->proven = 1;
    put_back();
    if (!hd.wire->forked)
        return;
    hd.wire->first_trace = hash_of(hd.exec);
    hd.wire->first_index = hd.exec->index;
    hd_execution_begin_again();
}

static void run_again(void)
{
    struct hd_search search = hd.search;

    hd_finding_muted = true;
    hd.wire->repeating = 1;
    hd_search_repeat(&hd.search);
    hd_worker_repeat();
    hd.wire->repeating = 0;
    hd_finding_muted = false;
    hd.search = search;
    if (hd_race_is_unsure())
        hd_execution_begin_again();
}

/* True if a repetition is useless: the search ends with this execution, or the search itself ended
 * the execution early. */
static bool is_of_no_use(const struct hd_execution *x)
{
    return (hd.wire->nstopping > 0 && !hd.cfg->keep_going) || x->ending == HD_END_CUT || x->ending == HD_END_DIVERGED;
}

void hd_selfcheck_repeat(void)
{
    char what[WHAT];

    if (is_of_no_use(hd.exec) || !keep())
        return;
    hd_worker_restore();
    if (!is_as_before(what)) {
        put_back();
        not_put_back(what);
        return;
    }
    run_again();
    uint32_t step = other_step();

    if (hd_execution_is_tainted()) {
        not_repeated("crashed");
    } else if (step != UINT32_MAX) {
        hd_format(what, sizeof what, "differed after %u steps", step);
        not_repeated(what);
    } else {
        hd_worker_restore();
        bool same = is_as_before(what);

        put_back();
        if (!same)
            not_put_back(what);
        hd.wire->proven = 1;
    }
}

void hd_selfcheck_processes(void)
{
    struct hd_wire *w = hd.wire;

    if (w->first_trace == 0 || hd.exec->index != w->first_index)
        return;
    if (hash_of(hd.exec) != w->first_trace)
        hd_uncontrolled("the same decisions do not give the same execution: the program depends on something "
                        "that is not controlled");
    w->first_trace = 0;
}

bool hd_selfcheck_died(int signal)
{
    char text[sizeof hd.wire->fork_reason];

    if (!hd.wire->repeating)
        return false;
    hd.wire->repeating = 0;
    if (signal == SIGKILL && !hd.wire->watchdog_kill)
        return false; /* another process killed the worker: run the execution again */
    hd.wire->proven = 1;
    hd_format(text, sizeof text, "its first execution, run again in the same process, ended it (signal %d)", signal);
    hd_needs_fork(text);
    return true;
}
