/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw.h - the arguments of a system call, as what libc's function takes. */
#ifndef HD_RUNTIME_CALLS_RAW_H
#define HD_RUNTIME_CALLS_RAW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One family of calls; *known: the call is one of them. */
typedef long hd_raw_family(long nr, const long a[6], uint64_t pc, bool *known);

/* Names of files (intercept_raw_files.c). */
hd_raw_family hd_raw_opening, hd_raw_looking, hd_raw_naming, hd_raw_marks;
/* intercept_pids.c */
hd_raw_family hd_raw_pids;
/* intercept_raw_process.c */
hd_raw_family hd_raw_time, hd_raw_signals, hd_raw_processes, hd_raw_ids, hd_raw_memory;

/* Of the array `a`. */
#define INT(i) ((int)a[i])
#define SIZE(i) ((size_t)a[i])
#define PTR(i) ((void *)a[i])

/* The kernel's set of signals, 8 bytes, as libc's; NULL stays NULL. */
const sigset_t *hd_raw_mask(sigset_t *to, const void *mask);

#endif
