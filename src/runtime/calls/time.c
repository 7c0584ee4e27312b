/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.c - reading clocks and sleeping, in virtual time.  core/time.c defines how time passes: a little with every
 * read, and to the end of every sleep and time-out.  Reading a clock is not a scheduling point.  A sleep is a step
 * without objects that lets other threads run.  Its duration never decides an order: any thread may run while
 * others sleep.  With --timeouts=idle a thread wakes up only when no other thread can run; if several sleep, the
 * one with the earliest deadline wakes up first. */
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/time.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/kernel/signals.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"

#define MAX_CLOCK 12 /* the fixed clocks of the kernel are 0 … 11; dynamic ones are negative */

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / HD_NS_PER_S), (long)(ns % HD_NS_PER_S) };
}

static struct timeval timeval_of(uint64_t ns)
{
    return (struct timeval){ (time_t)(ns / HD_NS_PER_S), (long)(ns % HD_NS_PER_S / 1000) };
}

/* True if the caller gets the real time.  Virtual time also applies before main, because constructors must read
 * the same time in every process. */
static bool is_real(void)
{
    return hd.cur == NULL && (hd.wire == NULL || hd.in_main);
}

/* Reads a clock.  The value depends on the sleeps and reads of all threads before. */
static uint64_t look_at(clockid_t clock)
{
    hd_time_touch(true);
    return hd_time_of(clock);
}

#define VIRTUAL(type, name, params, args, virtual, accesses)               \
    HD_EXPORT type name params                                             \
    {                                                                      \
        return NOTED(is_real() ? HD_REAL(name) args : (virtual), accesses); \
    }

static int model_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock >= MAX_CLOCK) {
        errno = EINVAL;
        return -1;
    }
    *t = timespec_of(look_at(clock));
    return 0;
}

static int model_timespec_get(struct timespec *t, int base)
{
    if (base != TIME_UTC)
        return 0;
    *t = timespec_of(look_at(CLOCK_REALTIME));
    return base;
}

static int model_gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timeval *volatile to = t; /* the header says that it is never NULL, but old code passes NULL */

    if (to != NULL)
        *to = timeval_of(look_at(CLOCK_REALTIME));
    if (zone != NULL)
        *(struct timezone *)zone = (struct timezone){ 0, 0 };
    return 0;
}

static time_t model_time(time_t *t)
{
    time_t now = (time_t)(look_at(CLOCK_REALTIME) / HD_NS_PER_S);

    if (t != NULL)
        *t = now;
    return now;
}

static clock_t model_times(struct tms *t)
{
    clock_t ticks = (clock_t)(look_at(CLOCK_MONOTONIC) / (HD_NS_PER_S / 100));

    if (t != NULL)
        *t = (struct tms){ .tms_utime = ticks };
    return ticks;
}

static int model_getrusage(struct rusage *u)
{
    *u = (struct rusage){ .ru_utime = timeval_of(look_at(CLOCK_PROCESS_CPUTIME_ID)) };
    return 0;
}

/* ---- sleeping and yielding ---------------------------------------------------- */

/* Completes a sleep at its turn. */
static void wake_up(uint64_t wake_ns)
{
    hd_set_remove(&hd.idle, hd.cur->tid);
    if (wake_ns > hd_now_ns)
        hd_time_pass(wake_ns - hd_now_ns);
    hd_done(0, 0);
}

void hd_sleep_until(uint64_t wake_ns, uint64_t pc)
{
    hd.cur->deadline = wake_ns;
    hd_op_local(HD_EV_SLEEP, pc);
    wake_up(wake_ns);
    hd_cancel_point(); /* other threads may have run before its turn */
}

int hd_sleep_for(const struct timespec *t, uint64_t pc)
{
    hd_cancel_point();
    if (!hd_time_valid(t) || t->tv_sec < 0)
        return EINVAL;
    hd_sleep_until(hd_now_ns + hd_time_ns(t), pc);
    return 0;
}

/* A sleep that a signal handler or a fault may end.  Returns 0, or EINTR with the remaining time in
 * *left_ns. */
static int sleep_until(uint64_t wake_ns, uint64_t *left_ns, uint64_t pc)
{
    bool fault = hd_fault(HD_FAULT_EINTR, NULL, pc);

    hd.cur->deadline = wake_ns;
    bool slept = hd_op_ends(HD_EV_SLEEP, NULL, HD_WAIT_ENDS, pc);

    if (!slept || fault) {
        *left_ns = wake_ns > hd_now_ns ? wake_ns - hd_now_ns : 0;
        if (slept) {
            wake_up(0);
            hd_cancel_point();
        }
        return EINTR;
    }
    wake_up(wake_ns);
    hd_cancel_point(); /* other threads may have run before its turn */
    return 0;
}

static int sleep_for(const struct timespec *t, uint64_t *left_ns, uint64_t pc)
{
    hd_cancel_point();
    if (!hd_time_valid(t) || t->tv_sec < 0)
        return EINVAL;
    return sleep_until(hd_now_ns + hd_time_ns(t), left_ns, pc);
}

static unsigned model_sleep(unsigned seconds, uint64_t pc)
{
    struct timespec t = { (time_t)seconds, 0 };
    uint64_t left = 0;

    sleep_for(&t, &left, pc);
    return (unsigned)((left + HD_NS_PER_S - 1) / HD_NS_PER_S);
}

static int result(int error)
{
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

static int model_usleep(useconds_t us, uint64_t pc)
{
    struct timespec t = timespec_of((uint64_t)us * 1000);
    uint64_t left;

    return result(sleep_for(&t, &left, pc));
}

int hd_sleep_with_rest(const struct timespec *t, struct timespec *left, uint64_t pc)
{
    uint64_t left_ns = 0;
    int error = sleep_for(t, &left_ns, pc);

    if (error == EINTR && left != NULL)
        *left = timespec_of(left_ns);
    return error;
}

static int model_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left,
                                 uint64_t pc)
{
    if (clock == CLOCK_THREAD_CPUTIME_ID || clock >= MAX_CLOCK)
        return EINVAL;
    if ((flags & TIMER_ABSTIME) == 0)
        return hd_sleep_with_rest(t, left, pc);
    hd_cancel_point();
    if (!hd_time_valid(t) || t->tv_sec < 0)
        return EINVAL;
    uint64_t now = hd_time_of(clock), until = hd_time_ns(t), left_ns;

    return sleep_until(until > now ? hd_now_ns + (until - now) : hd_now_ns, &left_ns, pc);
}

static int model_sched_yield(uint64_t pc)
{
    hd_yield(pc);
    return 0;
}

/* Deprecated in glibc, which maps it to sched_yield.  Old binaries still import it. */
int hd_impl_pthread_yield(void);
HD_POLL_ENTRY(pthread_yield);
int hd_impl_pthread_yield(void)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(sched_yield)();
    hd_yield(HD_PC);
    return 0;
}

#define CALLS_TIME
#include "runtime/calls/calls.def"
