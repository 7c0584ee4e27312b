/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verdict.c - deadlocks, livelocks, and the last step of a process. */
#include "runtime/worker/verdict.h"

#include "runtime/core/debug.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/signals.h"
#include "runtime/progress/await.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/watch/deadlock.h"
#include "runtime/watch/detectors.h"
#include "wire/wire.h"

static bool is_live(unsigned tid)
{
    return hd.exec->threads[tid].state == HD_TH_LIVE;
}

/* True if a handler of exit is blocked: the process never ends. */
static bool exit_is_blocked(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i) && hd.thread[i].exiting && !hd.thread[i].loop.parked)
            return true;
    return false;
}

static void report_polling(unsigned parked)
{
    enum { MOST = 64 };
    struct hd_polled polled[MOST];
    struct hd_evidence e = { .polled = polled, .npolled = hd_poll_tell(polled, MOST) };

    hd_finding_report(HD_FK_LIVELOCK, 0, &e, "%u thread%s for ever: what %s for is never written", parked,
                      parked == 1 ? " polls" : "s poll", parked == 1 ? "it waits" : "they wait");
}

/* True if the end of a child process may still run a handler that ends the wait. */
static bool waits_for_child(void)
{
    if (hd_io_signals_are_inner())
        return false;
    struct sigaction act = hd_signal_action(SIGCHLD);

    return act.sa_handler != SIG_DFL && act.sa_handler != SIG_IGN;
}

static _Noreturn void end_blocked(void)
{
    unsigned blocked = 0, parked = 0, cut = 0;

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        if (!is_live(i))
            continue;
        blocked++;
        parked += hd.thread[i].loop.parked;
        cut += hd.thread[i].grace > hd.cfg->exit_grace;
    }
    if (blocked == 0 || hd.failed)
        hd_execution_over(hd.failed ? HD_END_FAILED : HD_END_CLEAN);
    bool cycle = hd_deadlock_in_cycle(); /* a cycle lasts for ever, whatever was cut */

    if (!cycle && (cut > 0 || (hd.exit_begun && !exit_is_blocked())))
        hd_execution_over(HD_END_CLEAN);
    if (!cycle && hd.cut)
        hd_execution_over(HD_END_CLEAN); /* no verdict possible; loop_cuts weakens the claim */
    if (!cycle && waits_for_child()) {
        hd_uncontrolled("waiting for SIGCHLD, which comes from outside: the execution ends there");
        hd_execution_over(HD_END_CLEAN);
    }
    if (!cycle && hd.exec->assumed > 0) /* the threads may wait for one that heddle_assume has stopped */
        hd_execution_over(HD_END_CLEAN);
    if (!cycle && hd.cfg->linear == HD_LINEAR_SEQUENTIAL) /* an operation waits for one that comes later in this order */
        hd_execution_over(HD_END_CLEAN);
    if (!cycle && parked > 0) { /* the other threads wait for the polling ones */
        report_polling(parked);
        hd_execution_over(HD_END_LIVELOCK);
    }
    hd_detectors_stuck();
    hd_execution_over(HD_END_DEADLOCK);
}

/* Enables the thread that ends the process.  It may run only when no other thread can
 * (docs/internals.md, "Exit").  Returns false if there is none. */
static bool enable_process_end(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i) && hd.exec->pending[i].kind == HD_EV_EXIT_END) {
            hd_deadlock_partial(true);
            hd_set_add(&hd.point.enabled, i);
            return true;
        }
    return false;
}

/* Returns the idle threads that may continue.  With --timeouts=idle these are the ones with the earliest deadline:
 * time passes only when no thread can run, so no other deadline has been reached. */
static struct hd_set first_idle(void)
{
    struct hd_set first = hd.idle;
    uint64_t least = UINT64_MAX;

    if (!hd.cfg->timeouts_idle)
        return first;
    HD_SET_EACH(tid, &hd.idle)
        least = hd.thread[tid].deadline < least ? hd.thread[tid].deadline : least;
    if (least < hd_now_ns) /* include all threads whose deadline has passed */
        least = hd_now_ns;
    HD_SET_EACH(tid, &hd.idle)
        hd_set_put(&first, tid, hd.thread[tid].deadline <= least);
    return first;
}

void hd_verdict_nobody_enabled(void)
{
    if (hd.signals && !hd.exit_begun && hd_signal_take_deferred())
        return;
    if (!hd_set_is_empty(&hd.idle) && !hd.exit_begun) {
        hd.point.enabled = first_idle();
        return;
    }
    HD_SET_EACH(tid, &hd.idle) /* handlers of exit may contain timed waits */
        if (hd.thread[tid].exiting) {
            hd_set_add(&hd.point.enabled, tid);
            return;
        }
    if (enable_process_end())
        return;
    if (!hd_poll_release())
        end_blocked();
}

void hd_verdict_stopped(void)
{
    const struct hd_execution *x = hd.exec;

    if (x->ending == HD_END_AGAIN)
        hd_await_left();
    if (x->ending == HD_END_CUT || x->ending == HD_END_AGAIN)
        hd_execution_over((enum hd_ending)x->ending);
    if (hd.cfg->debug)
        hd_debug_stop(HD_DEBUG_DIVERGED);
    if (!hd.cfg->replay) /* in a replay the conductor reports it: it knows the expected operation */
        hd_report(HD_FK_NONDETERMINISM, x->diverged_found.pc,
                  "the program did not repeat itself: at step %u of a prefix that ran before, T%u is about to %s",
                  x->diverged_step + 1, x->diverged_found.tid, hd_kind_info[x->diverged_found.kind].text);
    hd_execution_over(HD_END_DIVERGED);
}
