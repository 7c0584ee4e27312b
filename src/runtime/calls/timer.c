/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer.c - POSIX timers, which notify by a thread (SIGEV_THREAD), by a signal or not at all; alarm
 * and setitimer.  They use the timers of timers.h.  With SIGEV_THREAD the thread of the timer calls
 * the program's function after each expiry.  So each arming notifies at most HD_TIMER_FREELY times,
 * one after the other.
 * A timer lies in the heap of the thread that created it, so its address does not depend on the
 * interleaving.  It is never freed, because threads of earlier armings still read it. */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/signal.h"
#include "runtime/core/entry.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/signals.h"
#include "runtime/kernel/timers.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"

#define MAGIC UINT64_C(0x6865646c2d74696d)

struct timer {
    struct hd_timer timer; /* must be first: hd_timer pointers are cast to struct timer */
    uint64_t magic;
    void (*fn)(union sigval);
    union sigval value;
};

/* Returns the timer of the model with this id, or NULL.  Timers of the kernel are small numbers,
 * and those of libc have the highest bit set. */
static struct timer *timer_of(timer_t id)
{
    struct timer *t = id;

    return hd_heap_owns(t) && t->magic == MAGIC ? t : NULL;
}

static void notify(struct hd_timer *timer)
{
    const struct timer *t = (const struct timer *)timer;

    t->fn(t->value);
}

/* ---- timer_create, timer_delete ------------------------------------------------------ */

static bool has_timers(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_MONOTONIC:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return true;
    default:
        return false;
    }
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Sets the notification of t.  Returns 0 or an error number. */
static int notifies_by(struct timer *t, const struct sigevent *how)
{
    switch (how->sigev_notify) {
    case SIGEV_NONE:
        return 0;
    case SIGEV_THREAD:
        t->timer.most = HD_TIMER_FREELY;
        t->timer.notify = notify;
        t->fn = how->sigev_notify_function;
        t->value = how->sigev_value;
        return 0;
    case SIGEV_THREAD_ID:
        t->timer.to = hd_signal_thread(how->_sigev_un._tid);
        if (t->timer.to == NULL)
            return EINVAL;
        break;
    case SIGEV_SIGNAL:
        break;
    default:
        return EINVAL;
    }
    if (how->sigev_signo <= 0 || how->sigev_signo >= HD_SIGNALS || hd_signal_is_fatal(how->sigev_signo))
        return EINVAL;
    t->timer.signal = (siginfo_t){ .si_signo = how->sigev_signo, .si_code = SI_TIMER,
                                   .si_value = how->sigev_value };
    return 0;
}

static int create(clockid_t clock, const struct sigevent *how, timer_t *timer, uint64_t pc)
{
    if (!has_timers(clock))
        return fail(clock >= 0 && clock <= CLOCK_TAI ? EOPNOTSUPP : EINVAL);
    struct timer *t = hd_heap_alloc(sizeof *t, 16, pc);

    if (t == NULL)
        return fail(EAGAIN);
    struct sigevent alarm = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM,
                              .sigev_value.sival_ptr = t };

    t->timer = (struct hd_timer){ .clock = clock, .most = HD_TIMER_MOST };
    int error = notifies_by(t, how != NULL ? how : &alarm);

    if (error != 0)
        return fail(error);
    t->magic = MAGIC;
    hd_timer_made(&t->timer);
    *timer = t;
    return 0;
}

HD_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict how, timer_t *restrict timer)
{
    if (hd.cur != NULL)
        return create(clock, how, timer, HD_PC);
    if (hd.wire != NULL && !hd.in_main)
        hd_uncontrolled("timers that are made before main expire by the real clock");
    return HD_REAL(timer_create)(clock, how, timer);
}

HD_EXPORT int timer_delete(timer_t id)
{
    struct timer *t = hd.cur == NULL ? NULL : timer_of(id);

    if (t == NULL)
        return HD_REAL(timer_delete)(id);
    static const struct itimerspec never;

    hd_op(HD_EV_TIMER_SET, hd_timer_object(&t->timer), NULL, HD_PC);
    t->magic = 0;
    hd_timer_set(&t->timer, false, &never, NULL, HD_PC);
    hd_done(0, 0);
    return 0;
}

/* ---- arming ---------------------------------------------------------------------------- */

static int set(struct hd_timer *t, int flags, const struct itimerspec *want, struct itimerspec *old,
               uint64_t pc)
{
    if (!hd_timer_is_valid(want))
        return fail(EINVAL);
    hd_op(HD_EV_TIMER_SET, hd_timer_object(t), NULL, pc);
    hd_timer_set(t, (flags & TIMER_ABSTIME) != 0, want, old, pc);
    hd_done(t->armed, 0);
    int error = hd_timer_start(t);

    return error == 0 ? 0 : fail(error);
}

HD_EXPORT int timer_settime(timer_t id, int flags, const struct itimerspec *restrict want,
                            struct itimerspec *restrict old)
{
    struct timer *t = hd.cur == NULL ? NULL : timer_of(id);

    if (t != NULL)
        return NOTED(set(&t->timer, flags, want, old, HD_PC),
                     hd_range_of_call(old, result == 0 ? sizeof *old : 0, true, pc));
    if (hd.cur == NULL)
        return HD_REAL(timer_settime)(id, flags, want, old);
    hd_io_writes(old, sizeof *old);
    hd_io_attempt(HD_PC);
    int result = HD_REAL(timer_settime)(id, flags, want, old);

    hd_io_end(true, result);
    return result;
}

HD_POLL_ENTRY(timer_gettime);
int hd_impl_timer_gettime(timer_t id, struct itimerspec *now)
{
    struct timer *t = hd.cur == NULL ? NULL : timer_of(id);

    if (t == NULL) {
        if (hd.cur != NULL)
            hd_snapshot_touch(now, sizeof *now);
        return HD_REAL(timer_gettime)(id, now);
    }
    hd_op(HD_EV_ATOMIC_LOAD, hd_timer_object(&t->timer), NULL, HD_PC);
    *now = hd_timer_setting(&t->timer);
    hd_done(t->timer.armed, 0);
    hd_range_of_call(now, sizeof *now, true, HD_PC);
    return 0;
}

/* 0, because every expiry notifies by a call of its own. */
HD_EXPORT int timer_getoverrun(timer_t id)
{
    if (hd.cur != NULL && timer_of(id) != NULL)
        return 0;
    return HD_REAL(timer_getoverrun)(id);
}

/* ---- alarm, setitimer -------------------------------------------------------------------- */

static struct itimer {
    struct hd_timer timer; /* must be first */
    uint32_t epoch;
} itimers[3];

static struct hd_timer *itimer_of(unsigned which)
{
    static const struct {
        clockid_t clock;
        int signal;
    } kinds[] = {
        [ITIMER_REAL] = { CLOCK_MONOTONIC, SIGALRM },
        [ITIMER_VIRTUAL] = { CLOCK_PROCESS_CPUTIME_ID, SIGVTALRM },
        [ITIMER_PROF] = { CLOCK_PROCESS_CPUTIME_ID, SIGPROF },
    };
    struct itimer *i = &itimers[which];

    if (i->epoch != hd.epoch) {
        *i = (struct itimer){ .timer = { .clock = kinds[which].clock, .most = HD_TIMER_MOST,
                                         .signal = { .si_signo = kinds[which].signal, .si_code = SI_KERNEL } },
                              .epoch = hd.epoch };
        hd_timer_made(&i->timer);
    }
    return &i->timer;
}

static struct timespec of_us(uint64_t us)
{
    return (struct timespec){ (time_t)(us / 1000000), (long)(us % 1000000 * 1000) };
}

static struct timeval timeval_of(struct timespec t)
{
    return (struct timeval){ t.tv_sec, (t.tv_nsec + 999) / 1000 };
}

static uint64_t set_alarm(uint64_t us, uint64_t interval, uint64_t pc)
{
    struct itimerspec want = { of_us(interval), of_us(us) }, old = { { 0, 0 }, { 0, 0 } };

    set(itimer_of(ITIMER_REAL), 0, &want, &old, pc);
    return hd_time_ns(&old.it_value);
}

static bool is_time(const struct timeval *t)
{
    return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

static int model_setitimer(__itimer_which_t which, const struct itimerval *restrict value,
                           struct itimerval *restrict old, uint64_t pc)
{
    static const struct itimerval never;
    const struct itimerval *to = value != NULL ? value : &never;

    if ((unsigned)which > ITIMER_PROF || !is_time(&to->it_value) || !is_time(&to->it_interval))
        return fail(EINVAL);
    struct itimerspec before, want = {
        { to->it_interval.tv_sec, to->it_interval.tv_usec * 1000 },
        { to->it_value.tv_sec, to->it_value.tv_usec * 1000 },
    };
    int rc = set(itimer_of((unsigned)which), 0, &want, &before, pc);

    if (rc == 0 && old != NULL)
        *old = (struct itimerval){ timeval_of(before.it_interval), timeval_of(before.it_value) };
    return rc;
}

static int model_getitimer(__itimer_which_t which, struct itimerval *value, uint64_t pc)
{
    if ((unsigned)which > ITIMER_PROF)
        return fail(EINVAL);
    struct hd_timer *t = itimer_of((unsigned)which);

    hd_entry.rsp = 0; /* the thread must not be parked: the result depends on the clock, too */
    hd_op(HD_EV_ATOMIC_LOAD, hd_timer_object(t), NULL, pc);
    struct itimerspec now = hd_timer_setting(t);

    hd_done(t->armed, 0);
    *value = (struct itimerval){ timeval_of(now.it_interval), timeval_of(now.it_value) };
    return 0;
}

#define CALLS_TIMER
#include "runtime/calls/calls.def"
