/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.h - sleeping, for other families (C11, raw system calls, waiting for descriptors). pc is the
 * place in the target's code. */
#ifndef HD_RUNTIME_CALLS_TIME_H
#define HD_RUNTIME_CALLS_TIME_H

#include <stdint.h>
#include <time.h>

/* Lets other threads run.  On return, hd_now_ns is at least wake_ns. */
void hd_sleep_until(uint64_t wake_ns, uint64_t pc);

/* nanosleep, a cancellation point.  Returns 0 or EINVAL. */
int hd_sleep_for(const struct timespec *t, uint64_t pc);
/* Like hd_sleep_for, but a signal handler or an injected fault may end the sleep.  Returns 0,
 * EINVAL, or EINTR; with EINTR, *left is the remaining time (left may be NULL). */
int hd_sleep_with_rest(const struct timespec *t, struct timespec *left, uint64_t pc);

#endif
