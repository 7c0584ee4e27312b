/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_timer.c - POSIX timers that notify by a thread (SIGEV_THREAD).
 *
 * They are timers of timers.h, whose thread calls the program's function when it has expired.
 * So each arming notifies three times at most, one after the other in the same thread.
 *
 * The timer lies in the heap of the thread that made it, so its address does not
 * depend on the interleaving.  It is never given back: threads that are out of date
 * still look at it. */
#include <signal.h>
#include <time.h>

#include "runtime/heap.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/real.h"
#include "runtime/timers.h"

#define MAGIC UINT64_C(0x6865646c2d74696d)

struct timer {
    struct hd_timer timer; /* first: its address is the timer's */
    uint64_t magic;
    void (*fn)(union sigval);
    union sigval value;
};

/* Kernel timers are small numbers, libc's own have the highest bit set. */
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

static int create(clockid_t clock, const struct sigevent *how, timer_t *timer, uint64_t pc)
{
    if (!has_timers(clock))
        return fail(clock >= 0 && clock <= CLOCK_TAI ? EOPNOTSUPP : EINVAL);
    struct timer *t = hd_heap_alloc(sizeof *t, 16, pc);

    if (t == NULL)
        return fail(EAGAIN);
    t->magic = MAGIC;
    t->timer = (struct hd_timer){ .clock = clock, .most = HD_TIMER_FREELY, .notify = notify };
    hd_timer_made(&t->timer);
    t->fn = how->sigev_notify_function;
    t->value = how->sigev_value;
    *timer = t;
    return 0;
}

HD_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict how, timer_t *restrict timer)
{
    bool by_thread = how != NULL && how->sigev_notify == SIGEV_THREAD;

    if (hd.cur == NULL) {
        if (by_thread && hd.wire != NULL && !hd.in_main)
            hd_uncontrolled("timers with SIGEV_THREAD that are made before main");
        return HD_REAL(timer_create)(clock, how, timer);
    }
    if (by_thread)
        return create(clock, how, timer, HD_PC);
    hd_uncontrolled("timer_create: signals come by the real clock");
    hd_needs_fork("it makes a timer");
    hd_io_signals_outside();
    hd_snapshot_touch(timer, sizeof *timer);
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
        return set(&t->timer, flags, want, old, HD_PC);
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
    return 0;
}

/* Every expiry is notified by a call of its own. */
HD_EXPORT int timer_getoverrun(timer_t id)
{
    if (hd.cur != NULL && timer_of(id) != NULL)
        return 0;
    return HD_REAL(timer_getoverrun)(id);
}
