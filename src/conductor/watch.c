/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch.c - the conductor's loop.  It sleeps in poll() until the target ends,
 * prints, or a signal arrives, and looks at the shared memory about 20 times a
 * second; the first looks come faster, because small campaigns are over within
 * milliseconds.
 *
 * The end of the target always comes through its pidfd, so that a short campaign
 * costs no waiting.  Whatever happens, the whole process group is gone when the
 * loop returns. */
#include "conductor/watch.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { TICK_MS = 50, STOP_GRACE_MS = 2000 };

/* The start of the search is noticed with a delay; what is shorter than this
 * says nothing about its speed. */
#define SHORTEST_MEASURED 0.2

struct loop {
    const struct hd_watch *w;
    struct hd_watched out;
    const struct hd_finding *last; /* finding that was handed on last */
    uint64_t beat;                 /* heartbeat seen last ... */
    double beat_at;                /* ... and when it changed, or another process took over */
    int32_t beat_pid;              /* who is to change it */
    double beat_waited;            /* how long that one had waited for a processor then */
    double start, searching_since, stopping_since;
    int signals;
};

static uint32_t phase(const struct loop *l)
{
    return __atomic_load_n(&l->w->wire->phase, __ATOMIC_ACQUIRE);
}

static void hand_on_findings(struct loop *l)
{
    const struct hd_wire *wire = l->w->wire;

    for (;;) {
        const struct hd_finding *f = l->last == NULL ? hd_wire_finding_first(wire)
                                                     : hd_wire_finding_next(wire, l->last);

        if (f == NULL)
            return;
        l->last = f;
        l->w->on_finding(l->w->ctx, f);
    }
}

static void ask_to_stop(struct loop *l, double now)
{
    if (l->stopping_since == 0)
        l->stopping_since = now;
    __atomic_store_n(&l->w->wire->stop, 1, __ATOMIC_RELEASE);
}

static void take_signals(struct loop *l, double now)
{
    struct signalfd_siginfo info;

    while (read(l->signals, &info, sizeof info) == sizeof info) {
        if (l->out.interrupted)
            l->stopping_since = now - STOP_GRACE_MS / 1e3; /* the second time: at once */
        l->out.interrupted = true;
        l->out.signal = (int)info.ssi_signo;
        ask_to_stop(l, now);
    }
}

/* Seconds that the process was ready to run and had no processor; 0 where the kernel
 * does not tell. */
static double waited_for_processor(int32_t pid)
{
    char path[40];
    unsigned long long ns = 0;

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *in = fopen(path, "re");

    if (in == NULL)
        return 0;
    if (fscanf(in, "%*u %llu", &ns) != 1)
        ns = 0;
    fclose(in);
    return (double)ns / 1e9;
}

/* Has it made no step for too long?  Time in which it could not run, on a busy
 * machine, is not its own; asked for only when the rest looks bad. */
static bool makes_no_step(struct loop *l, int32_t pid, double now)
{
    struct hd_wire *wire = l->w->wire;
    uint64_t beat = __atomic_load_n(&wire->heartbeat, __ATOMIC_RELAXED);
    double limit = (double)l->w->watchdog_ms / 1e3;

    if (beat != l->beat || phase(l) != HD_PHASE_RUNNING) {
        l->beat = beat;
        l->beat_at = now;
        l->beat_pid = 0;
    } else if (pid != l->beat_pid) { /* the first look since, or another process */
        l->beat_at = now;
        l->beat_pid = pid;
        l->beat_waited = waited_for_processor(pid);
    }
    if (limit == 0 || now - l->beat_at < limit)
        return false;
    double waited = waited_for_processor(pid) - l->beat_waited;

    return waited >= 0 && now - l->beat_at - waited >= limit; /* negative: it has just ended */
}

/* A worker that makes no step any more is killed; its zygote goes on with the
 * next execution.  A replay has no worker: that is the end of it. */
static bool hung_for_good(struct loop *l, double now)
{
    struct hd_wire *wire = l->w->wire;
    int32_t worker = __atomic_load_n(&wire->worker_pid, __ATOMIC_ACQUIRE);

    if (!makes_no_step(l, worker > 0 ? worker : l->w->target->pid, now))
        return false;
    l->beat_at = now;
    l->beat_pid = 0;
    l->out.hangs++;
    if (wire->config.replay || worker <= 0 || worker == l->w->target->pid)
        return true;
    __atomic_store_n(&wire->watchdog_kill, 1, __ATOMIC_RELEASE);
    kill(worker, SIGKILL);
    return false;
}

/* True when the target is to be killed now. */
static bool out_of_patience(struct loop *l, double now)
{
    double elapsed = (now - l->start) * 1e3;

    if (l->w->budget_ms != 0 && elapsed >= (double)l->w->budget_ms && l->stopping_since == 0) {
        l->out.out_of_time = true;
        ask_to_stop(l, now);
    }
    if (l->stopping_since != 0)
        return (now - l->stopping_since) * 1e3 >= STOP_GRACE_MS;
    if (phase(l) == HD_PHASE_START && elapsed >= HD_START_MS) {
        l->out.end = HD_WATCH_STUCK_EARLY;
        return true;
    }
    if (hung_for_good(l, now)) {
        l->out.end = HD_WATCH_HUNG;
        return true;
    }
    return false;
}

static void look(struct loop *l, double now)
{
    if (l->searching_since == 0 && phase(l) != HD_PHASE_START)
        l->searching_since = now;
    hand_on_findings(l);
    l->w->on_tick(l->w->ctx, now - l->start);
}

static void sleep_until_something(const struct loop *l, int ms)
{
    struct pollfd fds[] = {
        { l->w->target->pidfd, POLLIN, 0 },
        { l->signals, POLLIN, 0 },
        { l->w->target->output, POLLIN, 0 }, /* negative: ignored */
    };

    poll(fds, sizeof fds / sizeof *fds, ms);
}

static enum hd_watch_end how_it_ended(const struct loop *l)
{
    if (l->out.end != HD_WATCH_DONE)
        return l->out.end;
    switch (phase(l)) {
    case HD_PHASE_REFUSED:
        return HD_WATCH_REFUSED;
    case HD_PHASE_DONE:
        return HD_WATCH_DONE;
    case HD_PHASE_RUNNING:
        return l->stopping_since != 0 ? HD_WATCH_DONE : HD_WATCH_DIED;
    default:
        return l->stopping_since != 0 ? HD_WATCH_DONE : HD_WATCH_DIED_EARLY;
    }
}

static void run_loop(struct loop *l)
{
    int ms = 1;

    for (;;) {
        sleep_until_something(l, ms);
        ms = ms * 2 < TICK_MS ? ms * 2 : TICK_MS;
        double now = hd_seconds_now();
        bool ended = hd_target_ended(l->w->target); /* before the look: nothing is missed */

        hd_target_drain(l->w->target);
        take_signals(l, now);
        look(l, now);
        if (ended || out_of_patience(l, now))
            break;
    }
}

struct hd_watched hd_watch_target(const struct hd_watch *w)
{
    struct loop l = { .w = w, .start = w->target->started };
    sigset_t ours, before;

    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    sigprocmask(SIG_BLOCK, &ours, &before);
    l.signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    l.beat_at = l.start;

    run_loop(&l);
    hd_target_kill(w->target);
    double end = hd_seconds_now();

    hand_on_findings(&l);
    l.out.end = how_it_ended(&l);
    l.out.seconds = end - l.start;
    if (l.searching_since != 0 && end - l.searching_since >= SHORTEST_MEASURED)
        l.out.searching = end - l.searching_since;
    if (l.signals >= 0)
        close(l.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return l.out;
}
