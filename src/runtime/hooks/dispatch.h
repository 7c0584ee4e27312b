/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dispatch.h - system calls that pass by the interposers: Syscall User Dispatch.
 *
 * E1  A system call that is made outside of this library while hd_selector is HD_CLOSED is not
 *     executed: the kernel sends SIGSYS.  The handler leads it to an entry of ours on the stack on
 *     which it was made, so that it may pass the gate and switch fibers (syscalls.h).
 * E2  What libc does for one of our interposers is ours: HD_REAL opens the selector (real.h).
 *     Functions that call the program back stay closed; what libc itself does in them is passed on
 *     by the table.
 * E3  The selector belongs to the running context: it is saved and closed at every switch.  It is
 *     in no snapshot.
 * E4  The kernel thread must never hold SIGSYS back: the next trap would kill it.  No mask that goes
 *     to the kernel has a signal of ours in it (hd_fatal_signals_set).
 * E5  Nothing of this is inherited: a child of the program runs free, and each worker, the process
 *     of a replay, and under a debugger each kernel thread, switches it on. */
#ifndef HD_RUNTIME_HOOKS_DISPATCH_H
#define HD_RUNTIME_HOOKS_DISPATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* For the calling kernel thread.  Where the kernel cannot do it, the verdict says so. */
void hd_dispatch_begin(void);
/* Of SIGSYS: true when it was a system call, which is then led on. */
bool hd_dispatch_trap(const siginfo_t *info, void *context);

#endif
