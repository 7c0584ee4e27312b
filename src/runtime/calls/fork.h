/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fork.h - shared by all calls that start a process. */
#ifndef HD_RUNTIME_CALLS_FORK_H
#define HD_RUNTIME_CALLS_FORK_H

#include <stdint.h>

/* Call this before the running thread starts a process.  Heddle does not control the child.  `why`
 * is the reason for fork isolation in the report. */
void hd_child_process(const char *why, uint64_t pc);

/* The clone system call made through syscall().  Returns the pid of the child, 0 in the child, or a
 * negative errno value. */
long hd_raw_clone(const long a[6], uint64_t pc);

#endif
