/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_worker.c - see lost_worker.h. */
#include "runtime/worker/lost_worker.h"

#include <signal.h>

#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/report/suppression.h"
#include "runtime/sys/text.h"
#include "runtime/watch/points.h"
#include "runtime/watch/detectors.h"
#include "runtime/worker/hang.h"
#include "runtime/worker/worker.h"
#include "wire/wire.h"

enum { MAX_KILLS = 5 };

/* Returns the thread that was chosen last: it ran when the worker died. */
static hd_tid last_chosen(void)
{
    const struct hd_execution *x = hd.exec;

    for (uint32_t i = x->nsteps; i-- > 0;)
        if (x->decisions[i].alternatives == 0)
            return x->decisions[i].chosen;
    return 0;
}

static bool has_failed_thread(void)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.exec->threads[i].state == HD_TH_FAILED)
            return true;
    return false;
}

static void describe_hang(struct hd_finding *f)
{
    f->tid = last_chosen();
    f->pc = hd.exec->pending[f->tid].pc; /* its last operation */
    hd_format(f->message, sizeof f->message,
              "T%u has done nothing visible for a long time: blocked in a call that Heddle does not "
              "control, or an endless loop in code that it does not see",
              f->tid);
}

/* Ends the execution of a dead worker; f is its finding or NULL.  If a thread had failed before,
 * the later death is a consequence (libc's lock that the thread held, damaged memory), not a
 * finding. */
static void end_lost_execution(struct hd_finding *f, enum hd_ending ending)
{
    hd.exec->ending = ending;
    if (f != NULL && !has_failed_thread() && ending == HD_END_TOO_LONG)
        hd_hang_report(f, NULL, true);
    else if (f != NULL && !has_failed_thread())
        hd_finding_emit(f, NULL, NULL, true);
    hd_points_end();
    hd_suppression_settle();
    hd_detectors_judged();
    hd_worker_end_step();
    hd_worker_tell_count();
}

static void report_death(int signal)
{
    struct hd_finding f = { .kind = HD_FK_CRASH, .tid = HD_NO_TID, .signal = (uint32_t)signal };
    bool hung = hd.wire->watchdog_kill != 0;

    if (hung)
        describe_hang(&f);
    else
        hd_format(f.message, sizeof f.message, "the process was lost (signal %d)", signal);
    end_lost_execution(&f, hung ? HD_END_TOO_LONG : HD_END_LOST);
}

void hd_lost_by_exit(int code)
{
    struct hd_finding f = { .kind = HD_FK_EXIT_CODE, .tid = last_chosen() };

    hd.wire->workers_lost++;
    hd_uncontrolled("the program replaced itself (exec) or ended by a system call: Heddle does not follow it there");
    if (hd.exec->index != hd_campaign_totals(&hd.wire->campaign)->begun)
        return;
    f.pc = hd.exec->pending[f.tid].pc;
    hd.exec->exit_code = code;
    hd_format(f.message, sizeof f.message,
              "the process ended with exit code %d after exec, or by a system call of its own", code);
    end_lost_execution(code != 0 ? &f : NULL, HD_END_LOST);
}

/* Denies the claim: the execution had already been judged clean, but must have left something behind that killed
 * the worker later. */
static void deny_after_death(int signal)
{
    char text[HD_LEDGER_TEXT];

    hd_format(text, sizeof text, "a worker process was lost between two executions (signal %d)", signal);
    hd_uncontrolled(text);
}

/* A SIGKILL that the watchdog did not send says nothing about the program: a user killed the worker, or memory ran
 * out.  So the execution is tried again, a few times. */
void hd_lost_by_signal(int signal)
{
    static uint64_t killed_at;
    static unsigned kills;
    const struct hd_totals *t = hd_campaign_totals(&hd.wire->campaign);

    hd.wire->workers_lost++;
    if (signal == SIGKILL && !hd.wire->watchdog_kill) {
        kills = killed_at == t->begun ? kills + 1 : 1;
        killed_at = t->begun;
        if (kills < MAX_KILLS)
            return;
    }
    if (hd.exec->index == t->begun)
        report_death(signal);
    else
        deny_after_death(signal);
}
