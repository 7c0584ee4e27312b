/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zygote.c - see zygote.h. */

#include "runtime/worker/zygote.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/debug.h"
#include "runtime/core/execution.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/fiber.h"
#include "runtime/core/output.h"
#include "runtime/core/program.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/hooks/dispatch.h"
#include "runtime/kernel/outside_signals.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/restore/child_files.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/race.h"
#include "runtime/worker/crash.h"
#include "runtime/worker/lost_worker.h"
#include "runtime/worker/selfcheck.h"
#include "runtime/worker/shared_passes.h"
#include "runtime/worker/worker.h"
#include "search/core/share.h"
#include "wire/wire.h"

static int zygote_pid;
static long conductor_fd = -1; /* a pidfd, readable when the process that started the zygote has ended */
static struct hd_kernel_sigaction target_sigchld; /* as the constructors have set it */

/* ---- the search -------------------------------------------------------------------------- */

void hd_zygote_recover_share(void)
{
    if (hd.cfg->nworkers <= 1 && hd.cfg->leased != HD_LEASED_TASKS)
        return;
    hd_shared_passes_recover();
    hd_share_recover(&hd.wire->common->arena, hd.cfg->worker);
}

static bool open_search(void)
{
    struct hd_wire *w = hd.wire;
    const struct hd_strategy_ops *ops = hd_strategy_find(w->config.strategy);
    struct hd_strategy_cfg cfg = {
        .seed = w->config.seed,
        .bound = w->config.bound,
        .params = w->config.params,
        .arena = &w->arena,
        .decisions = w->exec.decisions,
        .stands = w->exec.stands,
        .recorded = w->recorded,
        .nrecorded = w->nrecorded,
        .plan = &w->plan,
        .shared = w->config.nworkers > 1 || w->config.leased == HD_LEASED_TASKS ? &w->common->arena : NULL,
        .worker = w->config.worker,
        .nworkers = w->config.nworkers,
        .learnt = &w->common->learnt,
        .first_index = w->config.first_index,
        .reducer = hd_strategy_reducer(w->config.strategy),
        .wipe = hd_shared_passes_wipe,
        .beat = &w->heartbeat,
        .plain_events = w->config.points == HD_POINTS_EVERY, /* watch/points.h, V5 */
        .retry_sets = w->config.retry_sets,
        .blocks = w->config.no_points != 0 || w->config.filters.n > 0,
    };

    return ops != NULL && hd_search_open(&hd.search, ops, &cfg, &w->campaign, &w->exec);
}

/* Starts the search again from the root, as if nothing had been explored.  Knowledge about the
 * program stays.  No worker is alive.  A finding of the last pass ends the search only when it
 * occurs again. */
static void restart_search(void)
{
    struct hd_wire *w = hd.wire;
    uint32_t other = (w->campaign.current & 1) ^ 1;
    bool cleared = hd_sys(SYS_madvise, w->arena.base, w->arena.used, MADV_REMOVE) == 0;

    HD_INVARIANT(cleared, "cannot clear the state of the search");
    const struct hd_totals *now = hd_campaign_totals(&w->campaign);
    uint64_t sites = now->sites, restarts = now->restarts; /* all workers have reached that pass */

    w->discarded += now->begun;
    w->for_waits += hd_restart_is_for_wait() ? now->begun : 0;
    w->found_in = UINT64_MAX;
    w->arena.used = 0;
    hd_mem_zero(&w->campaign.totals[other], sizeof w->campaign.totals[other]);
    w->campaign.totals[other].sites = sites;
    w->campaign.totals[other].restarts = restarts;
    __atomic_store_n(&w->campaign.current, other, __ATOMIC_RELEASE);
    hd_restart_begun(); /* comes last: if this zygote is killed before it, the next one repeats everything */
    hd_worker_tell_count();
    HD_INVARIANT(open_search(), "a strategy cannot be opened again");
}

/* ---- the worker -------------------------------------------------------------------------- */

static _Noreturn void worker_process(void)
{
    hd_sys6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (conductor_fd >= 0)
        hd_sys(SYS_close, conductor_fd, 0, 0);
    hd_sys(SYS_setpgid, 0, 0, 0); /* kernel/pids.h, I3 */
    if (hd_sys(SYS_getppid, 0, 0, 0) != zygote_pid)
        hd_leave_process(HD_WORKER_DONE);
    hd_sys6(SYS_rt_sigaction, SIGCHLD, (long)&target_sigchld, 0, 8, 0, 0);
    hd_outside_signals_open();
    hd.wire->analysing = 0; /* the last worker may have been killed during an analysis */
    hd_dispatch_begin();
    if (hd.wire->forked)
        hd_snapshot_is_last();
    int code = hd_worker_executions(hd.wire->forked ? 1 : 0);

    hd.wire->worker_done = 1;
    hd_leave_process(code);
}

/* ---- death of the conductor ------------------------------------------------------------- */

/* Makes the zygote notice the conductor's death by itself.  If it died at once with the conductor,
 * the changes of an execution would stay (restore/undo.h). */
static void watch_conductor(void)
{
    long conductor = hd_sys(SYS_getppid, 0, 0, 0);
    long fd = hd_sys(SYS_pidfd_open, conductor, 0, 0);

    if (fd < 0)
        return; /* the zygote then dies with the conductor */
    conductor_fd = hd_process_high(fd);
    hd_sys(SYS_close, fd, 0, 0);
    hd_sys(SYS_prctl, PR_SET_PDEATHSIG, 0, 0);
    if (hd_sys(SYS_getppid, 0, 0, 0) != conductor)
        hd_leave_process(HD_WORKER_DONE); /* nothing has run yet */
}

/* Returns when the worker has ended.  If the conductor has ended, kills the worker and ends this
 * process. */
static void wait_for_either(long worker, long worker_fd)
{
    struct pollfd fds[2] = { { (int)worker_fd, POLLIN, 0 }, { (int)conductor_fd, POLLIN, 0 } };

    if (conductor_fd < 0 || worker_fd < 0)
        return;
    while (hd_sys(SYS_poll, fds, 2, -1) == -EINTR)
        continue;
    if ((fds[0].revents & POLLIN) != 0 || (fds[1].revents & POLLIN) == 0)
        return;
    hd_sys(SYS_kill, worker, SIGKILL, 0);
    hd_sys6(SYS_waitid, P_PID, worker, 0, WEXITED | WNOWAIT, 0, 0);
    hd_sys(SYS_kill, -worker, SIGKILL, 0);
    hd_undo();
    hd_leave_process(HD_WORKER_DONE);
}

/* Waits for the process and returns its status.  If the kernel reaps children by itself, there is
 * nothing to wait for; the process then counts as killed. */
static int wait_for(long pid)
{
    int status = 0;
    long rc;

    do
        rc = hd_sys6(SYS_waitid, P_PID, pid, 0, WEXITED | WNOWAIT, 0, 0);
    while (rc == -EINTR);
    hd_sys(SYS_kill, -pid, SIGKILL, 0); /* its remaining children: the process group still exists */
    do
        rc = hd_sys6(SYS_wait4, pid, (long)&status, 0, 0, 0, 0);
    while (rc == -EINTR);
    return rc == pid ? status : SIGKILL;
}

/* Sets SIGCHLD to its default.  A constructor of the target may have set it to ignored (then the
 * zygote gets no status) or to a handler (which would run in the zygote). */
static void take_sigchld(void)
{
    struct hd_kernel_sigaction dfl = { 0 };

    hd_sys6(SYS_rt_sigaction, SIGCHLD, (long)&dfl, (long)&target_sigchld, 8, 0, 0);
}

/* ---- the campaign ------------------------------------------------------------------------ */

/* Forks a worker and returns its status when it has ended. */
static int run_worker(void)
{
    struct hd_wire *w = hd.wire;
    int worker_fd = -1;

    if (w->forked) {
        hd_fiber_provide_all();
        hd_snapshot_heat_small();
    }
    w->worker_done = 0;
    w->late_status = -1;
    w->rests = 0; /* clear the value of the last worker */
    w->watchdog_kill = 0; /* a late kill was meant for the last worker */
    hd_output_empty();
    long pid = hd_sys6(SYS_clone, SIGCHLD | CLONE_PIDFD, 0, (long)&worker_fd, 0, 0, 0);

    HD_INVARIANT(pid >= 0, "cannot fork");
    if (pid == 0)
        worker_process();
    w->worker_pid = (int32_t)pid;
    wait_for_either(pid, worker_fd);
    if (worker_fd >= 0)
        hd_sys(SYS_close, worker_fd, 0, 0);
    int status = wait_for(pid);
    bool late = WIFEXITED(status) && WEXITSTATUS(status) == HD_WORKER_LATE && w->late_status != -1;

    return late ? w->late_status : status;
}

/* Undoes what the ended worker has left behind. */
static void clean_up(void)
{
    hd.wire->worker_pid = 0;
    hd_process_rewind();
    hd_process_rename_host();
    hd_undo();
    hd_child_files_look();
    hd_turn_end();
    hd_zygote_recover_share();
}

/* Returns true if the ended worker has completed the campaign. */
static bool has_completed(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_INTERNAL) /* error already reported */
        hd_leave_process(HD_EXIT_INTERNAL);
    /* In these cases the execution runs again, whatever the exit status. */
    if (hd_race_needs_rerun() || hd_selfcheck_died(WIFSIGNALED(status) ? WTERMSIG(status) : 0))
        return false;
    if (WIFSIGNALED(status))
        hd_lost_by_signal(WTERMSIG(status));
    else if (!hd.wire->worker_done)
        hd_lost_by_exit(WEXITSTATUS(status));
    else
        return WEXITSTATUS(status) == HD_WORKER_DONE;
    return false;
}

static void run_workers(void)
{
    bool completed = false;

    take_sigchld();
    watch_conductor();
    hd_processor_clock_ban(); /* workers inherit the ban; setting it in each would cost a write to CR4 each time */
    while (!completed && !hd_worker_is_over()) {
        if (hd_restart_wanted()) {
            if (!hd_restart_together(hd_worker_is_over))
                return;
            restart_search();
        }
        int status = run_worker();

        clean_up();
        completed = has_completed(status);
    }
}

static void keep_internal_error(const char *text, unsigned long n)
{
    char *to = hd.wire->internal_error;
    size_t most = sizeof hd.wire->internal_error - 1;

    hd_mem_copy(to, text, n < most ? n : most);
}

static _Noreturn void finish(void)
{
    hd_restart_gone();
    hd.wire->phase = HD_PHASE_DONE;
    hd_leave_process(0);
}

static _Noreturn void refuse(void)
{
    hd.wire->phase = HD_PHASE_REFUSED;
    hd_leave_process(HD_EXIT_USAGE);
}

/* Refuses to continue a search whose saved data refers to other addresses. */
static void check_layout(void)
{
    struct hd_wire *w = hd.wire;
    uint64_t layout = hd_program_layout();

    if (w->continued && w->layout != 0 && w->layout != layout) {
        hd_format(w->refusal, sizeof w->refusal,
                  "the program or one of its libraries lies at other addresses than in the interrupted search, "
                  "which cannot be continued; start it again without --resume");
        refuse();
    }
    w->layout = layout;
}

void hd_zygote_run(void)
{
    struct hd_wire *w = hd.wire;

    check_layout();
    hd_zygote_recover_share(); /* frees the locks of an earlier zygote */
    /* restart.h, N1: do not open the data of the last pass again */
    if (!hd_restart_wanted() && !open_search()) {
        hd_format(w->refusal, sizeof w->refusal, "strategy %s does not understand '%s'",
                  w->config.strategy, w->config.params);
        refuse();
    }
    zygote_pid = (int)hd_sys(SYS_getpid, 0, 0, 0);
    w->zygote_pid = zygote_pid;
    hd_pid_conductor_is((pid_t)hd_sys(SYS_getppid, 0, 0, 0));
    w->forked = w->forked || w->config.isolation == HD_ISO_FORK; /* an earlier zygote may have set it */
    hd_invariant_hook = keep_internal_error;
    hd_output_init();
    hd_process_note();
    hd_child_files_note();
    hd_turn_end(); /* ends the turn of an earlier zygote, whose changes are undone by now */
    hd_crash_init();
    hd_detectors_start();
    hd_snapshot_take();
    hd_time_start();
    hd.in_main = 1;
    w->phase = HD_PHASE_RUNNING;
    if (hd_config_runs_once(&w->config)) {
        w->worker_pid = zygote_pid;
        hd_outside_signals_open();
        if (w->config.debug)
            hd_debug_stop(HD_DEBUG_READY);
        hd_dispatch_begin();
        hd_worker_executions(1);
        hd_undo();
        if (w->config.debug)
            hd_debug_stop(HD_DEBUG_OVER);
    } else {
        run_workers();
    }
    finish();
}
