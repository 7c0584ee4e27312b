/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.h - sleeping and yielding for other families (C11, raw system calls,
 * waiting for descriptors).  pc is the place in the target's code. */
#ifndef HD_RUNTIME_CALLS_TIME_H
#define HD_RUNTIME_CALLS_TIME_H

#include <stdint.h>
#include <time.h>

/* Let the others go first; it is at least that late afterwards (hd.now_ns). */
void hd_sleep_until(uint64_t wake_ns, uint64_t pc);

/* nanosleep: a cancellation point; 0 or EINVAL. */
int hd_sleep_for(const struct timespec *t, uint64_t pc);
/* The same, and a handler or a fault may end it: 0, EINTR with what is left (which may be NULL), EINVAL. */
int hd_sleep_with_rest(const struct timespec *t, struct timespec *left, uint64_t pc);

#endif
