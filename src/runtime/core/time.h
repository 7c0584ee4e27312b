/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.h - virtual time. */
#ifndef HD_RUNTIME_CORE_TIME_H
#define HD_RUNTIME_CORE_TIME_H

#include <time.h>

#include "runtime/core/state.h"

/* Virtual time since the process began.  hd_time_pass and hd_time_of advance it. */
extern uint64_t hd_now_ns __attribute__((visibility("hidden")));

#define HD_NS_PER_S UINT64_C(1000000000)
#define HD_EPOCH_SECONDS INT64_C(1700000000)
void hd_time_start(void);                     /* main begins: executions start with this time */
void hd_time_begin(void);                     /* an execution begins */
void hd_time_pass(uint64_t ns);               /* advances the clock: a thread slept */
void hd_time_touch(bool read);                /* notes that the running thread reads or moves the clock */
uint64_t hd_time_of(clockid_t clock);         /* returns the time on that clock, in ns */
uint64_t hd_time_zero(clockid_t clock);       /* the time on that clock at the start, in ns */

static inline bool hd_time_valid(const struct timespec *t)
{
    return t->tv_nsec >= 0 && t->tv_nsec < (long)HD_NS_PER_S;
}

/* True for the clocks that an absolute time-out may refer to. */
static inline bool hd_clock_waits(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Times beyond 2^63 ns (292 years) become 2^63: otherwise the product would overflow, and the limit
 * would come too early. */
static inline uint64_t hd_time_ns(const struct timespec *t)
{
    const uint64_t most = UINT64_C(1) << 63;

    if (t->tv_sec < 0)
        return 0;
    return (uint64_t)t->tv_sec >= most / HD_NS_PER_S ? most : (uint64_t)t->tv_sec * HD_NS_PER_S + (uint64_t)t->tv_nsec;
}

/* Sets the deadline of the running thread's next operation.  With --timeouts=idle, operations time out in the
 * order of their deadlines (worker/verdict.c). */
static inline void hd_time_limits(clockid_t clock, const struct timespec *until)
{
    uint64_t ns = hd_time_ns(until), zero = hd_time_zero(clock);

    hd.cur->deadline = ns > zero ? ns - zero : 0;
}

/* Advances virtual time to the deadline on that clock.  Does nothing if it has passed: virtual time
 * never goes back. */
static inline void hd_time_reach(clockid_t clock, uint64_t deadline)
{
    uint64_t opaque = hd.cur->loop.opaque, now = hd_time_of(clock);

    hd.cur->loop.opaque = opaque; /* the target does not see this reading of the clock, so it does not count */
    if (deadline > now)
        hd_time_pass(deadline - now);
}

#endif
