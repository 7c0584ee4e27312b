/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_timer.c - POSIX timers that notify by a thread (SIGEV_THREAD).
 *
 * Arming such a timer creates a logical thread that stands before the expiry, which
 * comes at any time after the arming (with
 * --timeouts=idle: when nothing else can run), and virtual time is then at least as
 * late.  The thread then calls the program's function.  Disarming, arming anew and
 * deleting are operations on the same object; the thread sees by the generation
 * that it is out of date, and ends.  So a timer never blocks, and never keeps the
 * process from ending.
 *
 * A timer that repeats would make executions endless: each arming notifies
 * MAX_EXPIRIES times, one after the other in the same thread.
 *
 * The timer lies in the heap of the thread that made it, so its address does not
 * depend on the interleaving.  It is never given back: threads that are out of date
 * still look at it. */
#include <signal.h>
#include <time.h>

#include "runtime/heap.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/mem.h"
#include "runtime/real.h"

enum { MAX_EXPIRIES = 3 };
#define MAGIC UINT64_C(0x6865646c2d74696d)

struct timer {
    uint64_t magic;
    clockid_t clock;
    void (*fn)(union sigval);
    union sigval value;
    uint32_t generation; /* of the arming; counts every change */
    bool armed;
    uint64_t expiry; /* on the clock */
    uint64_t interval;
};

/* What a timer's thread is given: a later arming changes the timer. */
struct arming {
    struct timer *timer;
    uint32_t generation;
    bool repeats;
    uint64_t pc;
};

/* Kernel timers are small numbers, libc's own have the highest bit set. */
static struct timer *timer_of(timer_t id)
{
    struct timer *t = id;

    return hd_heap_owns(t) && t->magic == MAGIC ? t : NULL;
}

static struct hd_obj *object_of(struct timer *t)
{
    return hd_object(t, HD_OBJ_TIMER);
}

/* ---- the thread ------------------------------------------------------------------- */

/* Wait for the expiry; false when the arming is out of date. */
static bool wait_for_expiry(const struct arming *a)
{
    struct timer *t = a->timer;

    hd_fact(HD_FACT_TIMER);
    hd_op(HD_EV_TIMER_EXPIRE, object_of(t), NULL, a->pc);
    if (!t->armed || t->generation != a->generation) {
        hd_done(0, HD_EVF_FAILED);
        return false;
    }
    hd_time_reach(t->clock, t->expiry);
    t->armed = a->repeats;
    t->expiry += t->interval;
    hd_done(0, 0);
    return true;
}

static void *timer_thread(void *arg)
{
    static const char name[] = "timer";
    const struct arming *a = arg;

    hd_mem_copy(hd.exec->threads[hd.cur->tid].name, name, sizeof name);
    hd.cur->sigmask = ~UINT64_C(0);
    for (int i = 0; i < MAX_EXPIRIES; i++) {
        if (!wait_for_expiry(a))
            return NULL;
        a->timer->fn(a->timer->value);
        if (!a->repeats)
            return NULL;
    }
    hd_uncontrolled("periodic timers notify 3 times per arming, then no more");
    hd.cut = 1; /* who waits for a fourth time is not deadlocked */
    hd.exec->loop_cuts++;
    return NULL;
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
    t->clock = clock;
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
    struct hd_obj *o = object_of(t);

    hd_op(HD_EV_TIMER_SET, o, NULL, HD_PC);
    t->magic = 0;
    t->armed = false;
    o->count = 1; /* its thread need not wait until nothing else can run */
    hd_done(0, 0);
    return 0;
}

/* ---- arming ---------------------------------------------------------------------------- */

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / HD_NS_PER_S), (long)(ns % HD_NS_PER_S) };
}

static struct itimerspec setting_of(const struct timer *t)
{
    struct itimerspec now = { .it_interval = timespec_of(t->interval) };

    if (t->armed) { /* not expired, so something is left, however late it is */
        uint64_t clock = hd_time_of(t->clock);

        now.it_value = timespec_of(t->expiry > clock ? t->expiry - clock : 1);
    }
    return now;
}

static bool is_valid(const struct itimerspec *s)
{
    return hd_time_valid(&s->it_value) && hd_time_valid(&s->it_interval) && s->it_value.tv_sec >= 0 &&
           s->it_interval.tv_sec >= 0;
}

/* The thread that is going to notify. */
static int start_thread(struct timer *t, uint64_t pc)
{
    struct arming *a = hd_heap_alloc(sizeof *a, 16, pc);
    uint64_t self;

    if (a == NULL)
        return fail(EAGAIN);
    *a = (struct arming){ t, t->generation, t->interval != 0, pc };
    int error = hd_thread_create(&self, true, 0, timer_thread, a, pc);

    return error == 0 ? 0 : fail(error);
}

static int set(struct timer *t, int flags, const struct itimerspec *want, struct itimerspec *old,
               uint64_t pc)
{
    struct hd_obj *o = object_of(t);
    uint64_t value = hd_time_ns(&want->it_value);

    if (!is_valid(want))
        return fail(EINVAL);
    hd_op(HD_EV_TIMER_SET, o, NULL, pc);
    if (old != NULL)
        *old = setting_of(t);
    t->generation++;
    t->armed = value != 0;
    t->interval = hd_time_ns(&want->it_interval);
    t->expiry = (flags & TIMER_ABSTIME) != 0 ? value : hd_time_of(t->clock) + value;
    o->count = !t->armed;
    hd_done(t->armed, 0);
    return value == 0 ? 0 : start_thread(t, pc);
}

HD_EXPORT int timer_settime(timer_t id, int flags, const struct itimerspec *restrict want,
                            struct itimerspec *restrict old)
{
    struct timer *t = hd.cur == NULL ? NULL : timer_of(id);

    if (t != NULL)
        return set(t, flags, want, old, HD_PC);
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
    hd_op(HD_EV_ATOMIC_LOAD, object_of(t), NULL, HD_PC);
    *now = setting_of(t);
    hd_done(t->armed, 0);
    return 0;
}

/* Every expiry is notified by a call of its own. */
HD_EXPORT int timer_getoverrun(timer_t id)
{
    if (hd.cur != NULL && timer_of(id) != NULL)
        return 0;
    return HD_REAL(timer_getoverrun)(id);
}
