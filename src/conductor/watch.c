/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch.c - the conductor's loop.  It sleeps in poll() until a target ends or prints or a
 * signal arrives, and looks at the shared memory about 20 times a second; the first looks
 * are more frequent, because small campaigns end within milliseconds.
 *
 * The end of a target is always noticed through its pidfd, so a short campaign costs no
 * waiting.  The process groups of all targets are gone when the loop returns.
 *
 * A target whose first process was killed from outside (SIGKILL says nothing about the
 * program) is restarted on the same wire and continues the search. */
#include "conductor/watch.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conductor/signals.h"
#include "conductor/use.h"
#include "wire/seal.h"

enum { TICK_MS = 50, STOP_GRACE_MS = 2000, MAX_RESTARTS = 5, ANSWER_MS = 1000 };

/* The shortest search, in seconds, whose speed is computed.  The conductor notices the start of a search with a delay,
 * so the measured time of a shorter one would be wrong. */
#define SHORTEST_MEASURED 0.2

/* State of one target. */
struct member {
    struct hd_wire *wire;
    struct hd_target *target;
    uint32_t worker;
    bool over;            /* ended for good */
    uint64_t beat;        /* last heartbeat seen */
    double beat_at;       /* when the counter changed, or when another process took over */
    int32_t beat_pid;     /* process that must change the counter */
    struct hd_use beat_use; /* that process's processor time at beat_at */
    double asked_at;      /* when it was asked for its position because it hangs; 0: not asked */
    double asked_ran;     /* its processor time then */
    unsigned restarts;    /* consecutive restarts since the search reached restarts_at */
    uint64_t restarts_at; /* number of executions begun when the target was restarted last */
};

struct loop {
    const struct hd_watch *w;
    struct hd_seal *seal;
    struct hd_watched out;
    struct member member[HD_MAX_WORKERS];
    uint32_t n;
    bool failed; /* out.end is set */
    struct hd_resting resting;
    double start, searching_since, stopping_since, found_since;
    int signals;
};

static uint32_t phase(const struct member *m)
{
    return __atomic_load_n(&m->wire->phase, __ATOMIC_ACQUIRE);
}

static void ask_to_stop(struct loop *l, double now)
{
    if (l->stopping_since == 0)
        l->stopping_since = now;
    for (uint32_t i = 0; i < l->n; i++)
        __atomic_store_n(&l->member[i].wire->stop, 1, __ATOMIC_RELEASE);
}

/* Only the first failure counts: the other targets are stopped because of it. */
static void fail(struct loop *l, const struct member *m, enum hd_watch_end end)
{
    if (l->failed)
        return;
    l->failed = true;
    l->out.end = end;
    l->out.culprit = m->worker;
}

static void take_signals(struct loop *l, double now)
{
    struct signalfd_siginfo info;

    while (!l->w->leaves_signals && read(l->signals, &info, sizeof info) == sizeof info) {
        if (l->out.interrupted || info.ssi_signo == SIGQUIT)
            l->stopping_since = now - STOP_GRACE_MS / 1e3; /* a second signal ends the targets at once */
        l->out.interrupted = true;
        l->out.signal = (int)info.ssi_signo;
        ask_to_stop(l, now);
    }
}

/* ---- one target ------------------------------------------------------------------------ */

/* True if the process has made no step for too long.  Time without a processor on a busy machine
 * does not count; it is queried only if the limit is exceeded otherwise. */
static bool makes_no_step(const struct loop *l, struct member *m, int32_t pid, double now)
{
    uint64_t beat = __atomic_load_n(&m->wire->heartbeat, __ATOMIC_RELAXED);
    double limit = (double)l->w->watchdog_ms / 1e3;

    bool analysing = __atomic_load_n(&m->wire->analysing, __ATOMIC_ACQUIRE) != 0;

    if (beat != m->beat || phase(m) != HD_PHASE_RUNNING || analysing) {
        m->beat = beat;
        m->beat_at = now;
        m->beat_pid = 0;
        m->asked_at = 0;
    } else if (pid != m->beat_pid) { /* first look since the change, or another process */
        m->beat_at = now;
        m->beat_pid = pid;
        m->beat_use = hd_processor_use(pid);
        m->asked_at = 0;
    }
    if (limit == 0 || now - m->beat_at < limit)
        return false;
    double waited = hd_processor_use(pid).waited - m->beat_use.waited;

    if (waited < 0 || now - m->beat_at - waited < limit)
        return false; /* negative: the process has just ended */
    return !hd_use_is_starved(pid, m->beat_use.ran, limit);
}

/* Asks the worker to report its own stack, which only it can do, and tells it whether it
 * was using the processor. */
static void ask_where(struct member *m, int32_t pid, double now)
{
    struct hd_use use = hd_processor_use(pid);
    double ran = use.ran - m->beat_use.ran, waited = use.waited - m->beat_use.waited;

    m->asked_at = now;
    m->asked_ran = use.ran;
    m->wire->watchdog_busy = 2 * ran > now - m->beat_at - waited;
    __atomic_store_n(&m->wire->watchdog_kill, 1, __ATOMIC_RELEASE);
    syscall(SYS_tgkill, pid, pid, HD_SIGNAL_HANGS);
}

/* The process that must make the next step: the worker, or its parent, if there is no worker or the worker has ended.  On a
 * busy machine it can take long until the parent notices that. */
static int32_t next_to_step(const struct member *m, int32_t worker)
{
    return worker > 0 && !hd_use_has_ended(worker) ? worker : m->target->pid;
}

/* Asks a worker that makes no steps for its position, which also ends it, and kills it if it does not answer.  Its
 * zygote continues with the next execution.  A replay has no separate worker, so it ends. */
static void check_heart(struct loop *l, struct member *m, double now)
{
    struct hd_wire *wire = m->wire;
    int32_t worker = __atomic_load_n(&wire->worker_pid, __ATOMIC_ACQUIRE);
    int32_t pid = next_to_step(m, worker);

    if (!makes_no_step(l, m, pid, now))
        return;
    if (m->asked_at == 0) {
        l->out.hangs++;
        ask_where(m, pid, now);
    }
    if ((now - m->asked_at) * 1e3 < ANSWER_MS ||
        hd_use_is_starved(pid, m->asked_ran, ANSWER_MS / 1e3))
        return; /* the process may not have got a processor to answer */
    m->beat_at = now;
    m->beat_pid = 0;
    if (hd_config_runs_once(&wire->config) || pid == m->target->pid)
        fail(l, m, HD_WATCH_HUNG);
    else
        kill(worker, SIGKILL);
}

/* True if another process killed it during or before the search, but not repeatedly. */
static bool may_start_again(const struct loop *l, struct member *m)
{
    uint64_t begun = hd_campaign_totals(&m->wire->campaign)->begun;

    uint32_t now = phase(m);

    if ((now != HD_PHASE_RUNNING && now != HD_PHASE_START) || hd_config_runs_once(&m->wire->config) || l->stopping_since != 0 ||
        l->failed || l->w->launch == NULL || m->target->randomised || !WIFSIGNALED(m->target->status) ||
        WTERMSIG(m->target->status) != SIGKILL)
        return false;
    m->restarts = m->restarts_at == begun ? m->restarts + 1 : 1;
    m->restarts_at = begun;
    return m->restarts <= MAX_RESTARTS;
}

/* The old target and its worker are gone before the new one starts. */
static bool start_again(const struct loop *l, struct member *m)
{
    struct hd_launch launch = *l->w->launch;
    const char *what;
    char undo[sizeof m->target->undo];

    snprintf(undo, sizeof undo, "%s", m->target->undo);
    launch.worker = m->worker;
    launch.undo = undo;
    hd_target_kill(m->target); /* also restores the files that they changed */
    m->wire->workers_lost++;
    m->wire->worker_pid = 0;
    m->wire->phase = HD_PHASE_START;
    return hd_launch(&launch, m->target, &what);
}

static void has_ended(struct loop *l, struct member *m)
{
    m->over = true;
    switch (phase(m)) {
    case HD_PHASE_REFUSED:
        fail(l, m, HD_WATCH_REFUSED);
        break;
    case HD_PHASE_DONE:
        break;
    case HD_PHASE_RUNNING:
        if (l->stopping_since == 0)
            fail(l, m, m->asked_at != 0 ? HD_WATCH_HUNG : HD_WATCH_DIED); /* it did not answer */
        break;
    default:
        if (l->stopping_since == 0)
            fail(l, m, HD_WATCH_DIED_EARLY);
    }
}

/* Before main the target either computes for ever or waits.  Waiting gets more time, because slow
 * disks and a busy machine look like waiting. */
static bool is_stuck_early(const struct loop *l, const struct member *m, double now)
{
    double elapsed = (now - m->target->started) * 1e3, limit = (double)l->w->watchdog_ms;

    if (l->stopping_since != 0)
        return false;
    return elapsed >= HD_START_MS ||
           (limit > 0 && elapsed >= limit && hd_processor_use(m->target->pid).ran * 1e3 >= limit);
}

static void check_member(struct loop *l, struct member *m, double now)
{
    hd_target_drain(m->target);
    if (hd_target_ended(m->target)) {
        if (!may_start_again(l, m) || !start_again(l, m))
            has_ended(l, m);
        return;
    }
    if (phase(m) != HD_PHASE_START) {
        if (l->searching_since == 0)
            l->searching_since = now;
        check_heart(l, m, now);
    } else if (is_stuck_early(l, m, now)) {
        fail(l, m, HD_WATCH_STUCK_EARLY);
    }
}

/* ---- all targets ------------------------------------------------------------------------ */

/* After a finding the workers stop by themselves (see found_enough in the runtime); a worker that
 * takes too long is asked to stop. */
static void check_found(struct loop *l, double now)
{
    const struct hd_wires *ws = l->w->wires;

    if (ws->n == 1 || ws->wire[0]->config.keep_going ||
        __atomic_load_n(&ws->common->found, __ATOMIC_RELAXED) == 0)
        return;
    if (l->found_since == 0)
        l->found_since = now;
    if ((now - l->found_since) * 1e3 >= STOP_GRACE_MS)
        ask_to_stop(l, now);
}

/* Unless the caller asked for wall-clock time, only time in which the targets could run counts. */
static void check_budget(struct loop *l, double now)
{
    double since = l->w->from_main ? l->searching_since : l->start;
    double elapsed = since != 0 ? (now - since) * 1e3 : 0;

    if (l->w->own_time && elapsed >= (double)l->w->budget_ms)
        elapsed -= hd_use_wait_time(l->w->wires->wire[0], elapsed) * 1e3;

    if (l->w->budget_ms != 0 && elapsed >= (double)l->w->budget_ms && l->stopping_since == 0) {
        l->out.out_of_time = true;
        ask_to_stop(l, now);
    }
}

/* Called when the grace period after the budget is over: a target that never reached main must not
 * be reported as "nothing found". */
static void check_begun(struct loop *l)
{
    uint32_t before_main = 0;

    for (uint32_t i = 0; i < l->n; i++)
        before_main += phase(&l->member[i]) == HD_PHASE_START;
    if (l->out.out_of_time && l->searching_since == 0 && before_main == l->n)
        fail(l, &l->member[0], HD_WATCH_STUCK_EARLY);
}

static void sleep_until_something(const struct loop *l, int ms)
{
    struct pollfd fds[2 * HD_MAX_WORKERS + 1] = { { l->w->leaves_signals ? -1 : l->signals, POLLIN, 0 } };
    nfds_t n = 1;

    for (uint32_t i = 0; i < l->n; i++) {
        const struct hd_target *t = l->member[i].target;

        if (!l->member[i].over)
            fds[n++] = (struct pollfd){ t->pidfd, POLLIN, 0 };
        fds[n++] = (struct pollfd){ t->output, POLLIN, 0 }; /* negative: ignored */
    }
    poll(fds, n, ms);
}

static void check_seal(struct loop *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (!hd_seal_holds(l->seal, l->w->wires, i)) {
            l->failed = true; /* takes precedence over other failures */
            l->out.end = HD_WATCH_DAMAGED;
            l->out.culprit = i;
            return;
        }
}

/* Returns whether some target is still running and may continue. */
static bool look(struct loop *l, double now)
{
    uint32_t over = 0;

    take_signals(l, now);
    check_seal(l);
    for (uint32_t i = 0; !l->failed && i < l->n; i++) {
        if (!l->member[i].over)
            check_member(l, &l->member[i], now);
        over += l->member[i].over;
    }
    if (over == l->n || l->failed)
        return false;
    check_found(l, now);
    check_budget(l, now);
    if (l->w->rest != NULL && l->stopping_since == 0)
        hd_rest_look(&l->resting, l->w->rest, l->w->wires, now - l->start);
    if (l->stopping_since == 0 || (now - l->stopping_since) * 1e3 < STOP_GRACE_MS)
        return true;
    check_begun(l);
    return false;
}

static uint64_t count_findings(const struct loop *l)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < l->n; i++)
        n += __atomic_load_n(&l->member[i].wire->nfindings, __ATOMIC_RELAXED);
    return n;
}

/* Looks more often after a finding: findings come in bursts, and their worker may wait for the
 * answer. */
static void run_loop(struct loop *l)
{
    uint64_t findings = 0;
    int ms = 1;
    bool more;

    do {
        sleep_until_something(l, l->resting.asked && ms > HD_REST_LOOK_MS ? HD_REST_LOOK_MS : ms);
        uint64_t now_found = count_findings(l);

        ms = now_found != findings ? 1 : ms * 2 < TICK_MS ? ms * 2 : TICK_MS;
        findings = now_found;
        double now = hd_seconds_now();

        more = look(l, now);
        if (more)
            l->w->on_look(l->w->ctx, false, now - l->start);
    } while (more);
}

static void init(struct loop *l, const struct hd_watch *w)
{
    l->w = w;
    l->n = w->wires->n;
    l->start = w->targets[0].started;
    for (uint32_t i = 0; i < l->n; i++)
        l->member[i] = (struct member){ .wire = w->wires->wire[i], .target = &w->targets[i],
                                        .worker = i, .beat_at = l->start };
}

struct hd_watched hd_watch_targets(const struct hd_watch *w)
{
    struct loop l = { .out.end = HD_WATCH_DONE };
    sigset_t ours, before;

    hd_signals_ours(&ours);
    sigprocmask(SIG_BLOCK, &ours, &before);
    init(&l, w);
    l.signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);

    l.seal = hd_seal_make(w->wires);
    run_loop(&l);
    for (uint32_t i = 0; i < l.n; i++)
        hd_target_kill(&w->targets[i]);
    check_seal(&l);
    if (l.out.end == HD_WATCH_DAMAGED)
        hd_seal_repair(l.seal, (struct hd_wires *)(uintptr_t)w->wires);
    free(l.seal);
    __atomic_store_n(&w->wires->common->files_turn, 0, __ATOMIC_RELEASE); /* no process is left to
                                                                           * release it */
    double end = hd_seconds_now();

    w->on_look(w->ctx, true, end - l.start);
    l.out.seconds = end - l.start;
    if (l.searching_since != 0 && end - l.searching_since >= SHORTEST_MEASURED)
        l.out.searching = end - l.searching_since;
    if (l.signals >= 0)
        close(l.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return l.out;
}
