/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fork.h - what all ways to start a process have in common. */
#ifndef HD_RUNTIME_CALLS_FORK_H
#define HD_RUNTIME_CALLS_FORK_H

#include <stdint.h>

/* The running thread is about to start one, which is not controlled. */
void hd_child_process(const char *why, uint64_t pc);

/* clone by syscall(): the number of the child, or an error below 0. */
long hd_raw_clone(const long a[6], uint64_t pc);

#endif
