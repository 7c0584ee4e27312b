/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.c - the executions of a worker, one after the other. */

#include "runtime/worker/worker.h"

#include <linux/futex.h>
#include <time.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/io.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/output.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/core/time.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/limit.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/poll.h"
#include "runtime/progress/prologue.h"
#include "runtime/report/suppression.h"
#include "runtime/restore/alias.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/restore/undo.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/fault.h"
#include "runtime/watch/points.h"
#include "runtime/watch/race.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/worker/selfcheck.h"
#include "runtime/worker/shared_passes.h"
#include "wire/wire.h"

/* Analysing a long execution takes long, but is not a hang of the target: `analysing` tells the watchdog. */
void hd_worker_end_step(void)
{
    __atomic_store_n(&hd.wire->analysing, 1, __ATOMIC_RELEASE);
    hd_search_end(&hd.search);
    __atomic_store_n(&hd.wire->analysing, 0, __ATOMIC_RELEASE);
}

static void begin_execution(void)
{
    hd.epoch++;
    hd.wire->attempts++;
    hd.exec->nevents = 0;
    hd.exec->trace_hash = 0;
    hd.exec->exit_code = 0;
    hd.failed = hd.exit_begun = hd.signals = hd.eager = hd.cut = 0;
    hd_changes.io = 0;
    hd_time_begin();
    hd_stdio_begin();
    hd_fault_begin();
    hd_probe_begin();
    hd_gate_begin();
    hd_thread_ends_begin();
    hd_poll_begin();
    hd_alias_begin();
    hd_cycle_begin();
    hd_loop_begin();
    hd_limit_begin();
    hd_prologue_begin();
    hd_object_begin();
    hd_detectors_begin();
    hd_points_begin();
}

void hd_worker_restore(void)
{
    hd_fiber_clear_stacks();
    hd_heap_reset();
    hd_output_reset(hd_changes.io);
    if (hd_changes.kernel)
        hd_kernel_restore();
    if (hd_changes.maps)
        hd_process_unmap();
    if (hd_changes.io)
        hd_process_restore();
    if (hd_undo_is_needed())
        hd_undo();
    hd_snapshot_restore();
}

/* Returns true if a finding ends the search for this worker.  An execution that was interrupted
 * after its finding does not count yet: it runs again.  Workers that sample continue up to the
 * index of the finding, because an execution with a smaller index may have another finding: so the
 * result is the finding that a single worker would meet first.  In any other search a finding of
 * any worker ends it for all. */
static bool found_enough(const struct hd_totals *t)
{
    const struct hd_wire *w = hd.wire;
    uint64_t found = __atomic_load_n(&w->common->found, __ATOMIC_RELAXED);

    if (found == 0 || w->config.keep_going)
        return false;
    if (w->config.by_index)
        return hd_execution_index(t) + 1 > found;
    return w->nstopping == 0 || t->begun > w->found_in || t->buggy > 0;
}

/* Returns true if all workers together have done `limit` executions.  The counts of the other
 * workers are in other processors' caches, so this reads them only now and then while many
 * executions remain. */
static bool together_done(uint64_t limit)
{
    enum { EVERY = 8 };
    static unsigned skip;
    const struct hd_common *c = hd.wire->common;
    uint64_t sum = 0;

    if (skip > 0) {
        skip--;
        return false;
    }
    for (uint32_t i = 0; i < c->nworkers; i++)
        sum += __atomic_load_n(&c->tally[i].executions, __ATOMIC_RELAXED);
    if (sum >= limit)
        return true;
    skip = limit - sum > UINT64_C(4) * EVERY * c->nworkers ? EVERY - 1 : 0;
    return false;
}

static bool done_enough(const struct hd_totals *t)
{
    const struct hd_config *c = hd.cfg;

    if (hd_traits_samples(&c->traits) && hd_totals_undecided(t))
        return true;
    if (hd.wire->nhung > 0 && !c->keep_going)
        return true;
    if (c->max_executions == 0)
        return false;
    if (c->nworkers <= 1 && c->leased != HD_LEASED_INDICES)
        return t->executions + t->assumed + t->discarded >= c->max_executions;
    return c->by_index ? hd_execution_index(t) >= c->first_index + c->max_executions
                       : together_done(c->max_executions);
}

bool hd_worker_is_over(void)
{
    const struct hd_totals *t = hd_campaign_totals(&hd.wire->campaign);

    if (hd.cfg->leased == HD_LEASED_TASKS && hd_restart_wanted()) /* all machines begin again: the tool starts them */
        return true;
    return hd.wire->stop || __atomic_load_n(&hd.wire->common->linear.stops, __ATOMIC_RELAXED) != 0 || (t->exhausted && !hd_restart_wanted()) || found_enough(t) || done_enough(t);
}

void hd_worker_tell_count(void)
{
    struct hd_wire *w = hd.wire;
    const struct hd_totals *t = hd_campaign_totals(&w->campaign);
    struct hd_tally *tally = &w->common->tally[w->config.worker];

    __atomic_store_n(&tally->executions, t->executions + t->assumed + t->discarded, __ATOMIC_RELAXED);
    __atomic_store_n(&tally->begun, t->begun, __ATOMIC_RELEASE);
}

static void run_program(void)
{
    begin_execution();
    struct hd_thread *main = hd_thread_main();

    hd_early_thread_begin(main);
    hd_fiber_start(main);
}

void hd_worker_repeat(void)
{
    run_program();
    hd_race_end();
}

/* Returns true if this process runs no further execution: then nothing needs to be restored, and
 * perhaps nothing could be. */
static bool is_used_up(void)
{
    if (hd_process_has_grown()) {
        hd_probe_late();
        hd_needs_fork("the program loads libraries while it runs (dlopen)");
    }
    return hd_execution_is_tainted() || hd.wire->forked || hd_restart_wanted();
}

static void run_one(bool to_be_repeated)
{
    run_program();
    if (HD_UNLIKELY(hd.exec->ending == HD_END_AGAIN || hd_search_ended_in_trial(&hd.search) || hd_race_is_unsure()))
        hd_execution_begin_again();
    hd_prologue_end();
    hd_points_end();
    hd_limit_end();
    hd_detectors_end();
    hd_suppression_settle();
    hd_detectors_judged();
    if (HD_UNLIKELY(to_be_repeated) && !is_used_up())
        hd_selfcheck_repeat();
    if (HD_UNLIKELY(hd.wire->first_trace != 0))
        hd_selfcheck_processes();
    hd_worker_end_step();
    hd_worker_tell_count();
    hd.wire->heartbeat++;
    if (HD_UNLIKELY(hd.cfg->many)) {
        __atomic_add_fetch(&hd.wire->plan.answers, 1, __ATOMIC_RELEASE);
        hd_sys(SYS_futex, &hd.wire->plan.answers, FUTEX_WAKE, 1);
    }
}

/* Sleeps until another process asks for an execution (model/plan.h).  Its signal to stop may come
 * without a request, so the sleep is short. */
static void wait_for_plan(void)
{
    const struct timespec t = { 0, 10000000 };
    uint32_t answered = (uint32_t)hd_campaign_totals(&hd.wire->campaign)->cursor.w[0];

    hd_sys6(SYS_futex, (long)&hd.wire->plan.asked, FUTEX_WAIT, answered, (long)&t, 0, 0);
}

/* Waits while there is no work for this worker.  In searches with short branches, new work comes
 * within one execution, sooner than a sleeping process wakes up.  So at first the worker only
 * yields the processor to others.  Later it sleeps. */
static void wait_for_work(unsigned round)
{
    enum { AWAKE_ROUNDS = 100, PAUSES = 32 };
    struct timespec t = { 0, 100000 };

    hd.wire->heartbeat++; /* tells the watchdog that it does not hang */
    if (round >= AWAKE_ROUNDS && hd.cfg->many) {
        wait_for_plan();
        return;
    }
    if (round >= AWAKE_ROUNDS) {
        hd_sys(SYS_nanosleep, (long)&t, 0, 0);
        return;
    }
    for (int i = 0; i < PAUSES; i++)
        __builtin_ia32_pause();
    hd_sys(SYS_sched_yield, 0, 0, 0);
}

/* Rests while the conductor copies the wire.  At this point no execution is running, and the last one is
 * committed. */
static void rest_if_asked(void)
{
    static const struct timespec t = { 0, 100000 };
    struct hd_wire *w = hd.wire;
    uint32_t request;

    while (HD_UNLIKELY((request = __atomic_load_n(&w->rest, __ATOMIC_ACQUIRE)) != 0) && !w->stop) {
        w->heartbeat++; /* tells the watchdog that it does not hang */
        __atomic_store_n(&w->rests, request, __ATOMIC_RELEASE);
        hd_sys(SYS_nanosleep, (long)&t, 0, 0);
    }
}

bool hd_worker_begin_next(void)
{
    hd_worker_tell_count(); /* the last worker may have died before it stored its count */
    for (unsigned round = 0;; round++) {
        rest_if_asked();
        if (hd_worker_is_over() || hd_restart_wanted())
            return false;
        if (hd_points_ready() && hd_shared_passes_ready()) {
            __atomic_store_n(&hd.wire->analysing, 1, __ATOMIC_RELEASE);
            enum hd_begin b = hd_search_begin(&hd.search);

            __atomic_store_n(&hd.wire->analysing, 0, __ATOMIC_RELEASE);
            if (b != HD_BEGIN_WAIT)
                return b == HD_BEGIN_RUN;
        }
        wait_for_work(round);
    }
}

int hd_worker_executions(unsigned quota)
{
    struct hd_wire *w = hd.wire;

    hd_probe_worker();
    for (unsigned n = 0; quota == 0 || n < quota; n++) {
        if (!hd_worker_begin_next())
            return hd_restart_wanted() ? HD_WORKER_NEXT : HD_WORKER_DONE;
        if (!hd_turn_begin())
            hd_execution_begin_again();
        run_one(hd_selfcheck_begin());
        if (is_used_up() || !w->proven)
            return HD_WORKER_NEXT;
        hd_worker_restore();
        hd_turn_end();
    }
    return HD_WORKER_NEXT;
}
