/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snapshot.h - the target's memory as it was before main, and how it is restored.
 *
 * M1  Every byte of a region equals its image when an execution begins.
 * M2  A page that is not hot is write-protected and equals its image.
 * M3  A page that the target has written stays hot: it is compared and restored after every
 *     execution.  In the steady state there are no faults and no system calls.  Pages that only
 *     hd_snapshot_absorb has written become cold again, with the new contents as their image.
 * M4  A process that runs only one more execution (fork isolation) restores nothing.  There, images
 *     need not follow changes, and a page may be hot before the target writes it. */
#ifndef HD_RUNTIME_RESTORE_SNAPSHOT_H
#define HD_RUNTIME_RESTORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the image of the writable segments of program and libraries, main's TLS and TCB, arguments
 * and environment, and the heap from before main. */
void hd_snapshot_take(void);

/* Adds a range (a donor's TLS and TCB) with its present contents.  Before hd_snapshot_take, the
 * contents at the time of hd_snapshot_take count. */
void hd_snapshot_add(uintptr_t lo, uintptr_t hi);

/* Like hd_snapshot_add, for memory that may contain code. */
void hd_snapshot_add_mapping(uintptr_t lo, uintptr_t hi, bool executes);

/* Call when the pages are about to be unmapped; they leave the snapshot.  The process must not run
 * another execution (hd_execution_taint). */
void hd_snapshot_forget(uintptr_t lo, uintptr_t hi);

/* True if addr belongs to the snapshot. */
bool hd_snapshot_has(uintptr_t addr);

/* Calls fn for each range. */
void hd_snapshot_each(void (*fn)(uintptr_t lo, uintptr_t hi, void *arg), void *arg);

/* Restores all regions (M1). */
void hd_snapshot_restore(void);

/* The first address at which M1 does not hold, or 0.  In very large regions only the hot pages are
 * compared. */
uintptr_t hd_snapshot_difference(void);

/* A hash of all differences from the state before main. */
uint64_t hd_snapshot_hash(void);
/* Like hd_snapshot_hash, for the pages that begin in a range. */
uint64_t hd_snapshot_hash_within(uintptr_t lo, uintptr_t hi);

/* Handles a write fault: returns true if the page was protected by M2; it is hot now. */
bool hd_snapshot_fault(uintptr_t addr);

/* Makes a range writable that a system call is about to write.  The pages stay writable. */
void hd_snapshot_touch(const volatile void *p, size_t n);

/* Makes all of libc's data writable.  Call before a call that runs with all signals blocked: a fault there would
 * be fatal. */
void hd_snapshot_heat_libc(void);
/* Like hd_snapshot_heat_libc; also makes the stack below the caller writable. */
void hd_snapshot_open_up(void);

/* Makes all pages of small regions hot, for the zygote under fork isolation (M4).  Otherwise each worker would
 * take the same faults again. */
void hd_snapshot_heat_small(void);
/* Call when this process restores nothing any more (M4). */
void hd_snapshot_is_last(void);

/* Runs fn, which changes libc's data on purpose: glibc links the control block of a new donor into the thread
 * list.  Exactly the bytes that fn changes become part of the images. */
void hd_snapshot_absorb(void (*fn)(void *), void *arg);

#endif
