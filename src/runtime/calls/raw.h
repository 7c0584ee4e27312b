/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw.h - models of system calls that bypass libc, for hooks/syscalls.c. */
#ifndef HD_RUNTIME_CALLS_RAW_H
#define HD_RUNTIME_CALLS_RAW_H

#include <stdbool.h>
#include <stdint.h>

/* The models use the interposers of libc's functions and set errno.  *known: set to whether there
 * is a model. */
long hd_raw(long nr, const long a[6], uint64_t pc, bool *known);
long hd_raw_futex(const long a[6], uint64_t pc);

#endif
