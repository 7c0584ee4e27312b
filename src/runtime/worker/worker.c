/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.c - zygote and workers.
 *
 * The zygote is the process as it was before main; it never runs the target.  It forks a worker,
 * which runs executions until the campaign is over, the process is tainted, or (fork isolation) it
 * has run one.  When a worker dies, the zygote forks the next one, which continues from the
 * campaign's totals.  That worker runs an interrupted execution again; an execution that killed its
 * process is reported.  When the zygote itself is killed, the conductor starts another one with the
 * same wire, which continues in the same way. */

#include "runtime/worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/core/debug.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/execution.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/object.h"
#include "runtime/core/output.h"
#include "runtime/core/restart.h"
#include "runtime/core/thread.h"
#include "runtime/hooks/dispatch.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/limit.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/report/suppression.h"
#include "runtime/restore/alias.h"
#include "runtime/restore/child_files.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/leak.h"
#include "runtime/watch/locks.h"
#include "runtime/watch/points.h"
#include "runtime/watch/race.h"
#include "runtime/watch/race_outcome.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/worker/crash.h"
#include "runtime/worker/selfcheck.h"
#include "runtime/worker/shared_passes.h"
#include "search/core/share.h"

enum { MAX_KILLS = 5 };

static int zygote_pid;
static long conductor_fd = -1; /* zygote: a pidfd, readable when the process that started it has ended */
static struct hd_kernel_sigaction target_sigchld; /* as the constructors have set it */

/* Ends the execution for the search.  The analysis of a long execution takes long, which is no hang
 * of the target: `analysing` informs the watchdog. */
static void end_search_step(void)
{
    __atomic_store_n(&hd.wire->analysing, 1, __ATOMIC_RELEASE);
    hd_search_end(&hd.search);
    __atomic_store_n(&hd.wire->analysing, 0, __ATOMIC_RELEASE);
}

/* ---- one execution ------------------------------------------------------------ */

static void begin_execution(void)
{
    hd.epoch++;
    hd.wire->attempts++;
    hd.exec->nevents = 0;
    hd.exec->trace_hash = 0;
    hd.exec->exit_code = 0;
    hd.faults = 0;
    hd.failed = hd.exit_begun = hd.signals = hd.eager = hd.cut = 0;
    hd.now_ns = hd.born_ns;
    hd.look_progress = 0;
    hd.looks = 0;
    hd.clock_user = HD_NO_TID;
    hd.clock_shared = hd.clock_read = false;
    hd.io_used = 0;
    hd.file_locks = 0;
    hd.libc_rng = hd_rng_for(0, 0);
    hd_probe_begin();
    hd_gate_begin();
    hd_poll_begin();
    hd_alias_begin();
    hd_cycle_begin();
    hd_loop_begin();
    hd_limit_begin();
    hd_object_begin();
    hd_race_begin();
    hd_race_outcome_begin();
    hd_points_begin();
    hd_checks_begin();
}

void hd_worker_restore(void)
{
    hd_fiber_clear_stacks();
    hd_heap_reset();
    hd_output_reset();
    if (hd.state_changed)
        hd_kernel_restore();
    if (hd.maps_used)
        hd_process_unmap();
    if (hd.io_used)
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
    if (c->max_executions == 0)
        return false;
    if (c->nworkers <= 1)
        return t->executions + t->assumed + t->discarded >= c->max_executions;
    return c->by_index ? hd_execution_index(t) >= c->max_executions
                       : together_done(c->max_executions);
}

/* Returns true if the campaign is over for this worker. */
static bool is_over(void)
{
    const struct hd_totals *t = hd_campaign_totals(&hd.wire->campaign);

    return hd.wire->stop || (t->exhausted && !hd_restart_wanted()) || found_enough(t) || done_enough(t);
}

static void tell_count(void)
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
    if (HD_UNLIKELY(hd_race_is_unsure()))
        hd_execution_begin_again();
    hd_race_end();
    hd_points_end();
    hd_locks_look();
    hd_leak_look();
    hd_suppression_settle();
    hd_race_outcome_end();
    if (HD_UNLIKELY(to_be_repeated) && !is_used_up())
        hd_selfcheck_repeat();
    if (HD_UNLIKELY(hd.wire->first_trace != 0))
        hd_selfcheck_processes();
    end_search_step();
    tell_count();
    hd.wire->heartbeat++;
}

/* Waits while there is no work for this worker.  In searches with short branches, new work comes
 * within one execution, sooner than a sleeping process wakes up.  So at first the worker only
 * yields the processor to others.  Later it sleeps. */
static void wait_for_work(unsigned round)
{
    enum { AWAKE_ROUNDS = 100, PAUSES = 32 };
    struct timespec t = { 0, 100000 };

    hd.wire->heartbeat++; /* tells the watchdog that it does not hang */
    if (round >= AWAKE_ROUNDS) {
        hd_sys(SYS_nanosleep, (long)&t, 0, 0);
        return;
    }
    for (int i = 0; i < PAUSES; i++)
        __builtin_ia32_pause();
    hd_sys(SYS_sched_yield, 0, 0, 0);
}

/* Begins the next execution.  Returns false if the campaign is over for this worker, or the search
 * restarts. */
static bool begin_next(void)
{
    tell_count(); /* the last worker may have died before it stored its count */
    for (unsigned round = 0;; round++) {
        if (is_over() || hd_restart_wanted())
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

/* Runs up to quota executions (0: no limit).  Returns enum hd_worker_exit. */
static int run_executions(unsigned quota)
{
    struct hd_wire *w = hd.wire;

    hd_probe_worker();
    for (unsigned n = 0; quota == 0 || n < quota; n++) {
        if (!begin_next())
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

/* ---- death of a worker -------------------------------------------------------------- */

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
    f->kind = HD_FK_LIVELOCK;
    f->signal = 0;
    f->tid = last_chosen();
    f->pc = hd.exec->pending[f->tid].pc; /* its last operation */
    hd_format(f->message, sizeof f->message,
              "%s%u has done nothing visible for a long time: blocked in a call that Heddle does not "
              "control, or an endless loop in code that it does not see",
              f->tid == 0 ? "main, T" : "T", f->tid);
}

/* Ends the execution of a dead worker; f is its finding or NULL.  If a thread had failed before,
 * the later death is a consequence (libc's lock that the thread held, damaged memory), not a
 * finding. */
static void end_lost_execution(struct hd_finding *f, enum hd_ending ending)
{
    hd.exec->ending = ending;
    if (f != NULL && !has_failed_thread())
        hd_finding_emit(f, NULL, NULL, true);
    hd_points_end();
    hd_suppression_settle();
    hd_race_outcome_end();
    end_search_step();
    tell_count();
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

/* The worker ended, but not through the runtime: the target has called exec, or has ended by a
 * system call that no interposer sees. */
static void report_end(int code)
{
    struct hd_finding f = { .kind = HD_FK_EXIT_CODE, .tid = last_chosen() };

    hd.wire->workers_lost++;
    hd_uncontrolled("the program became another one (exec) or left by a system call: not followed there");
    if (hd.exec->index != hd_campaign_totals(&hd.wire->campaign)->begun)
        return;
    f.pc = hd.exec->pending[f.tid].pc;
    hd.exec->exit_code = code;
    hd_format(f.message, sizeof f.message,
              "the process ended with exit code %d after exec, or by a system call of its own", code);
    end_lost_execution(code != 0 ? &f : NULL, HD_END_LOST);
}

/* The execution was judged already.  It must have left something that killed the worker later,
 * without a finding.  So the verdict claims nothing. */
static void deny_after_death(int signal)
{
    char text[HD_LEDGER_TEXT];

    hd_format(text, sizeof text, "a worker process was lost between two executions (signal %d)", signal);
    hd_uncontrolled(text);
}

/* Handles the death of the worker by a signal.  A SIGKILL that is not from the watchdog says
 * nothing about the program (a user killed it, or memory ran out): try again, a few times. */
static void survive(int signal)
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

static _Noreturn void worker_process(void)
{
    hd_sys6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (conductor_fd >= 0)
        hd_sys(SYS_close, conductor_fd, 0, 0);
    hd_sys(SYS_setpgid, 0, 0, 0); /* kernel/pids.h, I3 */
    if (hd_sys(SYS_getppid, 0, 0, 0) != zygote_pid)
        hd_leave_process(HD_WORKER_DONE);
    hd_sys6(SYS_rt_sigaction, SIGCHLD, (long)&target_sigchld, 0, 8, 0, 0);
    hd.wire->analysing = 0; /* the last worker may have been killed during an analysis */
    hd_dispatch_begin();
    int code = run_executions(hd.wire->forked ? 1 : 0);

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

static _Noreturn void finish(void)
{
    hd_restart_gone();
    hd.wire->phase = HD_PHASE_DONE;
    hd_leave_process(0);
}

/* Frees the locks on shared data that a dead worker may have held. */
static void recover_share(void)
{
    if (hd.cfg->nworkers <= 1)
        return;
    hd_shared_passes_recover();
    hd_share_recover(&hd.wire->common->arena, hd.cfg->worker);
}

static bool open_search(void);

/* Starts the search again from the root, as if nothing had been explored.  Knowledge about the
 * program stays.  No worker is alive.  A finding of the last pass ends the search only when it
 * occurs again. */
static void begin_anew(void)
{
    struct hd_wire *w = hd.wire;
    uint32_t other = (w->campaign.current & 1) ^ 1;
    bool cleared = hd_sys(SYS_madvise, w->arena.base, w->arena.used, MADV_REMOVE) == 0;

    HD_INVARIANT(cleared, "cannot clear the state of the search");
    const struct hd_totals *now = hd_campaign_totals(&w->campaign);
    uint64_t sites = now->sites, restarts = now->restarts; /* all workers are in that pass */

    w->discarded += now->begun;
    w->found_in = UINT64_MAX;
    w->arena.used = 0;
    hd_mem_zero(&w->campaign.totals[other], sizeof w->campaign.totals[other]);
    w->campaign.totals[other].sites = sites;
    w->campaign.totals[other].restarts = restarts;
    __atomic_store_n(&w->campaign.current, other, __ATOMIC_RELEASE);
    hd_restart_begun(); /* last: before this, the next zygote repeats everything */
    tell_count();
    HD_INVARIANT(open_search(), "a strategy cannot be opened again");
}

static void zygote(void)
{
    struct hd_wire *w = hd.wire;

    take_sigchld();
    watch_conductor();
    hd_processor_clock_ban(); /* workers inherit the ban: setting it costs a write to CR4 each time */
    for (;;) {
        if (is_over())
            return;
        if (hd_restart_wanted()) {
            if (!hd_restart_together(is_over))
                return;
            begin_anew();
        }
        if (w->forked)
            hd_fiber_provide_all();
        w->worker_done = 0;
        w->watchdog_kill = 0; /* a late kill was meant for the last worker */
        hd_output_empty();
        int worker_fd = -1;
        long pid = hd_sys6(SYS_clone, SIGCHLD | CLONE_PIDFD, 0, (long)&worker_fd, 0, 0, 0);

        HD_INVARIANT(pid >= 0, "cannot fork");
        if (pid == 0)
            worker_process();
        w->worker_pid = (int32_t)pid;
        wait_for_either(pid, worker_fd);
        if (worker_fd >= 0)
            hd_sys(SYS_close, worker_fd, 0, 0);
        int status = wait_for(pid);

        w->worker_pid = 0;
        hd_process_rewind();
        hd_process_rename_host();
        hd_undo();
        hd_child_files_look();
        hd_turn_end();
        recover_share();
        if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_INTERNAL) /* error already reported */
            hd_leave_process(HD_EXIT_INTERNAL);
        /* For any exit status. */
        if (hd_race_again() || hd_selfcheck_died(WIFSIGNALED(status) ? WTERMSIG(status) : 0))
            continue;
        if (WIFSIGNALED(status))
            survive(WTERMSIG(status));
        else if (!w->worker_done)
            report_end(WEXITSTATUS(status));
        else if (WEXITSTATUS(status) == HD_WORKER_DONE)
            return;
    }
}

/* ---- the campaign -------------------------------------------------------------------- */

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
        .shared = w->config.nworkers > 1 ? &w->common->arena : NULL,
        .worker = w->config.worker,
        .nworkers = w->config.nworkers,
        .reducer = hd_strategy_reducer(w->config.strategy),
        .wipe = hd_shared_passes_wipe,
        .plain_events = w->config.points == HD_POINTS_EVERY, /* watch/points.h, V5 */
    };

    return ops != NULL && hd_search_open(&hd.search, ops, &cfg, &w->campaign, &w->exec);
}

static void keep_internal_error(const char *text, unsigned long n)
{
    char *to = hd.wire->internal_error;
    size_t most = sizeof hd.wire->internal_error - 1;

    hd_mem_copy(to, text, n < most ? n : most);
}

void hd_worker_run(void)
{
    struct hd_wire *w = hd.wire;

    recover_share(); /* locks of an earlier zygote */
    /* restart.h, N1: do not open the data of the last pass again */
    if (!hd_restart_wanted() && !open_search()) {
        hd_format(w->refusal, sizeof w->refusal, "strategy %s does not understand '%s'",
                  w->config.strategy, w->config.params);
        w->phase = HD_PHASE_REFUSED;
        hd_leave_process(HD_EXIT_USAGE);
    }
    zygote_pid = (int)hd_sys(SYS_getpid, 0, 0, 0);
    w->zygote_pid = zygote_pid;
    w->forked = w->forked || w->config.isolation == HD_ISO_FORK; /* an earlier zygote may have set it */
    hd_invariant_hook = keep_internal_error;
    hd_output_init();
    hd_process_note();
    hd_child_files_note();
    hd_turn_end(); /* of an earlier zygote, whose changes are undone by now */
    hd_crash_init();
    hd_race_start();
    hd_snapshot_take();
    hd.born_ns = hd.now_ns;
    hd.in_main = 1;
    w->phase = HD_PHASE_RUNNING;
    if (hd_config_runs_once(&w->config)) {
        w->worker_pid = zygote_pid;
        if (w->config.debug)
            hd_debug_stop(HD_DEBUG_READY);
        hd_dispatch_begin();
        run_executions(1);
        hd_undo();
        if (w->config.debug)
            hd_debug_stop(HD_DEBUG_OVER);
    } else {
        zygote();
    }
    finish();
}
