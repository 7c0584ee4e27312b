/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verdict.c - deadlock, livelock, the last step of a process. */
#include "runtime/verdict.h"

#include "detect/deadlock.h"
#include "runtime/finding.h"
#include "runtime/poll.h"
#include "runtime/worker.h"

/* The thread that t waits for, when it is one. */
static hd_tid blocker(const struct hd_thread *t)
{
    const struct hd_event *e = &hd.exec->pending[t->tid];

    if (t->waits != NULL || t->parked)
        return HD_NO_TID;
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_SPIN_LOCK:
    case HD_EV_ONCE_BEGIN:
        return t->obj->owner;
    case HD_EV_RWLOCK_RDLOCK:
    case HD_EV_RWLOCK_WRLOCK:
        if (t->obj->owner != HD_NO_TID)
            return t->obj->owner;
        return t->obj->count > 0 ? (hd_tid)hd_set_next(&t->obj->readers, 0) : HD_NO_TID;
    case HD_EV_THREAD_JOIN:
        return e->peer;
    default:
        return HD_NO_TID;
    }
}

static bool is_live(unsigned tid)
{
    return hd.exec->threads[tid].state == HD_TH_LIVE;
}

static void describe_cycle(char *text, size_t cap, const hd_tid *cycle, unsigned n)
{
    size_t at = 0;

    for (unsigned i = 0; i < n && at + 64 < cap; i++) {
        const struct hd_thread *t = &hd.thread[cycle[i]];
        const struct hd_event *e = &hd.exec->pending[t->tid];

        at += hd_format(text + at, cap - at, "%sT%u waits in %s for T%u", i == 0 ? "" : ", ", t->tid,
                        hd_kind_info[e->kind].text, cycle[(i + 1) % n]);
    }
}

static unsigned find_cycle(hd_tid *cycle)
{
    hd_tid waits_for[HD_MAX_THREADS];

    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        waits_for[i] = is_live(i) ? blocker(&hd.thread[i]) : HD_NO_TID;
    return hd_deadlock_cycle(waits_for, hd.exec->nthreads, cycle);
}

static void report_deadlock(unsigned blocked, const hd_tid *cycle, unsigned n)
{
    char text[384];

    if (n == 1) {
        hd_report(HD_FK_DEADLOCK, 0, "T%u waits in %s for itself", cycle[0],
                  hd_kind_info[hd.exec->pending[cycle[0]].kind].text);
    } else if (n > 0) {
        describe_cycle(text, sizeof text, cycle, n);
        hd_report(HD_FK_DEADLOCK, 0, "%s", text);
    } else {
        unsigned first = 0;

        while (!is_live(first))
            first++;
        hd_report(HD_FK_DEADLOCK, 0, "%u thread%s blocked for ever and nobody is left to wake %s: T%u in %s",
                  blocked, blocked == 1 ? " is" : "s are", blocked == 1 ? "it" : "them", first,
                  hd_kind_info[hd.exec->pending[first].kind].text);
    }
}

static void report_polling(unsigned parked)
{
    enum { MOST = 64 };
    struct hd_polled polled[MOST];

    hd_finding_attach(HD_SEC_POLLED, polled, hd_poll_tell(polled, MOST), sizeof *polled);
    hd_report(HD_FK_LIVELOCK, 0, "%u thread%s for ever: what %s for is never written", parked,
              parked == 1 ? " polls" : "s poll", parked == 1 ? "it waits" : "they wait");
    hd_finding_attach(HD_SEC_END, NULL, 0, 0);
}

static _Noreturn void end_blocked(void)
{
    hd_tid cycle[HD_MAX_THREADS];
    unsigned blocked = 0, parked = 0, cut = 0;

    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        if (!is_live(i))
            continue;
        blocked++;
        parked += hd.thread[i].parked;
        cut += hd.thread[i].grace > hd.cfg->exit_grace;
    }
    if (blocked == 0 || hd.failed)
        hd_worker_execution_over(hd.failed ? HD_END_FAILED : HD_END_CLEAN);
    if (hd.exit_begun || cut > 0)
        hd_worker_execution_over(HD_END_CLEAN);
    if (hd.cut)
        hd_worker_execution_over(HD_END_CLEAN); /* nothing can be said; loop_cuts weakens the verdict */
    unsigned n = find_cycle(cycle);

    if (n == 0 && parked > 0) { /* the others wait for the one that polls */
        report_polling(parked);
        hd_worker_execution_over(HD_END_LIVELOCK);
    }
    report_deadlock(blocked, cycle, n);
    hd_worker_execution_over(HD_END_DEADLOCK);
}

/* The process can end only when nobody else can move (ARCHITECTURE.md, "Exit"). */
static bool enable_process_end(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i) && hd.exec->pending[i].kind == HD_EV_EXIT_END) {
            hd_set_add(&hd.point.enabled, i);
            return true;
        }
    return false;
}

void hd_verdict_nobody_enabled(void)
{
    if (!hd_set_is_empty(&hd.idle) && !hd.exit_begun) {
        hd.point.enabled = hd.idle;
        return;
    }
    HD_SET_EACH(tid, &hd.idle) /* the handlers of exit may wait with a time-out, too */
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

    if (x->ending == HD_END_CUT)
        hd_worker_execution_over(HD_END_CUT);
    if (!hd.cfg->replay) /* there the conductor knows what was expected */
        hd_report(HD_FK_NONDETERMINISM, x->diverged_found.pc,
                  "the program did not repeat itself: at step %u of a prefix that ran before, T%u is about to %s",
                  x->diverged_step + 1, x->diverged_found.tid, hd_kind_info[x->diverged_found.kind].text);
    hd_worker_execution_over(HD_END_DIVERGED);
}

void hd_verdict_count_grace(struct hd_thread *t)
{
    if (t->exiting || t->grace > hd.cfg->exit_grace)
        return;
    if (++t->grace > hd.cfg->exit_grace)
        hd.exec->grace_cuts++;
}
