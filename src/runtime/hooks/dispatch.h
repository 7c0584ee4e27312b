/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dispatch.h - traps system calls that bypass the interposers, by Syscall User Dispatch.
 *
 * E1  A system call made outside of this library while hd_selector is HD_CLOSED is not executed:
 *     the kernel sends SIGSYS.  The handler redirects the call to an entry of the runtime on the
 *     same stack, so that it may pass the gate and switch fibers (syscalls.h).
 * E2  System calls that libc makes for an interposer belong to the runtime: HD_REAL opens the selector around them
 *     (real.h).  For libc functions that call back into the program the selector stays closed; the table
 *     (syscalls.def) lets libc's own calls in them pass.
 * E3  The selector belongs to the running context: every switch saves and closes it.  It is in no
 *     snapshot.
 * E4  The kernel thread must never block SIGSYS: the next trap would kill it.  No mask that reaches
 *     the kernel contains a signal of the runtime (hd_fatal_signals_set).
 * E5  Children do not inherit the trap: a child of the program runs uncontrolled.  Each worker, the
 *     process of a replay, and each kernel thread under a debugger switches it on. */
#ifndef HD_RUNTIME_HOOKS_DISPATCH_H
#define HD_RUNTIME_HOOKS_DISPATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Switches the trap on for the calling kernel thread.  If the kernel cannot do it, the verdict says
 * so. */
void hd_dispatch_begin(void);
/* For the SIGSYS handler: returns true if it was a trapped system call, which is then redirected. */
bool hd_dispatch_trap(const siginfo_t *info, void *context);

#endif
