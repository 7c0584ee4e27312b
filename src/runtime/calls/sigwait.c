/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sigwait.c - waiting for a signal.  Waiting for signals that the program itself sends is waiting
 * for the state of the model (io_wait.h).  All fibers share one kernel thread: if it waited for a
 * signal from outside, no fiber could run.  So if signals may come from outside, these calls poll
 * and let other threads run in between. */
#include <signal.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/time.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/signals.h"
#include "runtime/restore/snapshot.h"

static void signals_uncontrolled(void)
{
    hd_fact(HD_FACT_SIGNAL);
    hd_uncontrolled("waiting for signals from outside is modelled as polling, which may end at any time");
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static bool comes_from_within(const void *unused)
{
    (void)unused;
    return hd_io_signals_are_inner();
}

/* ---- until a handler has run -------------------------------------------------------------- */

static bool is_handled(const void *who)
{
    return hd_signal_handled(who) != 0;
}

/* Waits until a handler has run.  If only a signal from outside the program could end the wait, it ends at once: the runtime
 * does not control when such a signal comes. */
static void suspend(enum hd_wait_end how, uint64_t pc)
{
    struct hd_io_wait wait = { is_handled, comes_from_within, hd.cur, HD_STATE_SIGNALS };

    hd_fact(HD_FACT_SIGNAL);
    hd_signal_wait_ends(how);
    hd_io_await(&wait, pc);
    if (!is_handled(hd.cur))
        signals_uncontrolled();
    hd_channel_signal(false);
    hd_channel_flow(0, HD_EVF_FAILED);
    hd_signal_ended_wait();
}

static int model_pause(uint64_t pc)
{
    suspend(HD_WAIT_FOR_IT, pc);
    return fail(EINTR);
}

/* During the wait the thread takes pending signals that the mask lets through. */
int hd_signal_suspend(const sigset_t *mask, uint64_t pc)
{
    uint64_t old = hd.cur->signals.mask;

    hd_cancel_point();
    hd_signal_wait_mask(hd_signal_word(mask));
    suspend(HD_WAIT_INSIDE, pc);
    hd_signal_mask(old, pc);
    return fail(EINTR);
}

/* ---- waiting without a handler
 * ------------------------------------------------------------------------ */

/* Takes a pending signal of the set.  Returns its number, or 0 if none is pending. */
static int take_signal(const sigset_t *set, siginfo_t *info)
{
    static const struct timespec at_once;
    long sig;

    if (info != NULL)
        hd_snapshot_touch(info, sizeof *info);
    if ((sig = hd_signal_accept(hd_signal_word(set), info)) != 0)
        return (int)sig;
    hd_signal_use_mask();
    sig = hd_sys6(SYS_rt_sigtimedwait, (long)set, (long)info, (long)&at_once, 8, 0, 0);
    return sig > 0 ? (int)sig : 0;
}

struct awaited {
    const struct hd_thread *by;
    const sigset_t *set;
};

static bool is_pending(const void *what)
{
    const struct awaited *w = what;
    uint64_t set = hd_signal_word(w->set), pending = 0;

    hd_sys(SYS_rt_sigpending, &pending, sizeof pending, 0);
    return (pending & set) != 0 || hd_signal_is_pending(w->by, set);
}

static int taken_signal(int sig)
{
    hd_channel_signal(false);
    hd_channel_flow((uint64_t)sig, 0);
    return sig;
}

/* Waits for a signal of the set.  Returns its number, or -1 if a handler of another signal has
 * ended the wait. */
static int wait_signal(const sigset_t *set, siginfo_t *info, enum hd_wait_end how, uint64_t pc)
{
    struct awaited awaited = { hd.cur, set };
    struct hd_io_wait wait = { is_pending, comes_from_within, &awaited, HD_STATE_SIGNALS };
    int sig;

    hd_fact(HD_FACT_SIGNAL);
    hd_signal_awaits(hd_signal_word(set));
    hd_signal_wait_ends(how);
    hd_io_await(&wait, pc);
    hd_signal_awaits(0);
    if (hd_signal_ended_wait())
        return -1;
    while ((sig = take_signal(set, info)) == 0) {
        hd_done(0, HD_EVF_FAILED);
        signals_uncontrolled();
        hd_yield(pc);
        hd_io_outside();
        hd_cancel_point();
        hd_io_attempt(pc);
    }
    return taken_signal(sig);
}

/* Like wait_signal, with a time limit (0: only a query).  Returns 0 if the time is over. */
static int wait_signal_until(const sigset_t *set, siginfo_t *info, uint64_t limit_ns, uint64_t pc)
{
    struct awaited awaited = { hd.cur, set };
    struct hd_io_wait wait = { is_pending, comes_from_within, &awaited, HD_STATE_SIGNALS };

    hd_fact(HD_FACT_SIGNAL);
    if (limit_ns == 0 || !hd_io_signals_are_inner()) {
        if (limit_ns != 0) {
            signals_uncontrolled();
            hd_sleep_until(hd_now_ns + limit_ns, pc);
        }
        hd_io_attempt(pc);
    } else {
        hd_signal_awaits(hd_signal_word(set));
        hd_signal_wait_ends(HD_WAIT_ENDS);
        bool ready = hd_io_await_until(&wait, limit_ns, pc);

        hd_signal_awaits(0);
        bool ended = hd_signal_ended_wait();

        if (ended || !ready)
            return ended ? -1 : 0;
    }
    int sig = take_signal(set, info);

    if (sig != 0)
        return taken_signal(sig);
    hd_done(0, HD_EVF_FAILED);
    return 0;
}

static int model_sigwait(const sigset_t *set, int *sig, uint64_t pc)
{
    *sig = wait_signal(set, NULL, HD_WAIT_GOES_ON, pc);
    return 0;
}

static int model_sigwaitinfo(const sigset_t *set, siginfo_t *info, uint64_t pc)
{
    int sig = wait_signal(set, info, HD_WAIT_ENDS, pc);

    return sig > 0 ? sig : fail(EINTR);
}

static int model_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit, uint64_t pc)
{
    if (limit == NULL) {
        int sig = wait_signal(set, info, HD_WAIT_ENDS, pc);

        return sig > 0 ? sig : fail(EINTR);
    }
    if (!hd_time_valid(limit) || limit->tv_sec < 0)
        return fail(EINVAL);
    int sig = wait_signal_until(set, info, hd_time_ns(limit), pc);

    return sig > 0 ? sig : fail(sig == 0 ? EAGAIN : EINTR);
}

#define CALLS_SIGWAIT
#include "runtime/calls/calls.def"
