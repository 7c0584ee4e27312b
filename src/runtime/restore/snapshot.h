/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snapshot.h - memory of the target as it was before main, and the way back.
 *
 * M1  Every byte of a region equals its image when an execution begins.
 * M2  A page that is not hot is write-protected and equals its image.
 * M3  A page that the target has written stays hot for ever: it is compared and
 *     put back after every execution.  In the steady state there is no fault and
 *     no system call.  Pages that only hd_snapshot_absorb has written become cold
 *     again, with what was written as their image. */
#ifndef HD_RUNTIME_RESTORE_SNAPSHOT_H
#define HD_RUNTIME_RESTORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writable segments of program and libraries, main's TLS and TCB, arguments and
 * environment, the heap from before main. */
void hd_snapshot_take(void);

/* Add a range (a donor's TLS and TCB), now as it is; before hd_snapshot_take: as it
 * is then. */
void hd_snapshot_add(uintptr_t lo, uintptr_t hi);

/* The same of memory in which code may lie. */
void hd_snapshot_add_mapping(uintptr_t lo, uintptr_t hi, bool executes);

/* The pages are about to go: nobody looks at them any more.  The process is not used for
 * another execution (hd_worker_taint). */
void hd_snapshot_forget(uintptr_t lo, uintptr_t hi);

/* Is it a part of it? */
bool hd_snapshot_has(uintptr_t addr);

/* All ranges that it is made of. */
void hd_snapshot_each(void (*fn)(uintptr_t lo, uintptr_t hi, void *arg), void *arg);

/* Put everything back. */
void hd_snapshot_restore(void);

/* Where M1 does not hold: 0, nowhere.  Of regions that are larger than what is worth looking at, only
 * the pages that were written are compared. */
uintptr_t hd_snapshot_difference(void);

/* A hash of all that differs from what it was before main. */
uint64_t hd_snapshot_hash(void);

/* A write fault: true when it was a protected page, which is now hot. */
bool hd_snapshot_fault(uintptr_t addr);

/* Make all of libc's data writable: the call that comes blocks all signals, so a fault
 * in it would be fatal. */
void hd_snapshot_heat_libc(void);
/* The stack below, too. */
void hd_snapshot_open_up(void);

/* Run fn, which changes libc's own data on purpose (a new donor, which glibc
 * links into the thread list inside the other TCBs): exactly the bytes that it
 * changes become part of the images. */
void hd_snapshot_absorb(void (*fn)(void *), void *arg);

#endif
