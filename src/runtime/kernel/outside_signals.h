/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outside_signals.h - signals that the kernel delivers: from another process, SIGCHLD, SIGPIPE.
 *
 * O1  A handler of the target never runs in the middle of the runtime's code, whose state it could
 *     find half changed.  The kernel's handler is the runtime's own.  It records the signal and
 *     returns.
 * O2  A recorded signal becomes a signal for the process (signals.h, S4) when a thread announces its
 *     next operation.
 * O3  SIGPIPE and SIGXFSZ are results of the running thread's own system call.  That thread runs the
 *     handler before the call returns. */
#ifndef HD_RUNTIME_KERNEL_OUTSIDE_SIGNALS_H
#define HD_RUNTIME_KERNEL_OUTSIDE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Once per worker, before the first execution: applies O1 to the handlers of constructors. */
void hd_outside_signals_open(void);
/* The action with which each execution begins.  Precondition: number is valid. */
struct sigaction hd_outside_signal_initial(int number);
/* Sets the kernel's action for the action that the target wants.  Returns like sigaction. */
int hd_outside_signal_set(int number, const struct sigaction *act);
/* Restores the kernel's actions and forgets recorded signals.  Call when the execution is over. */
void hd_outside_signals_restore(void);
/* In a child process, which the runtime does not control: gives the kernel the target's actions. */
void hd_outside_signals_release(void);

/* Takes the next recorded signal.  own: takes only a signal of O3, otherwise only others.  Returns
 * false if there is none. */
bool hd_outside_signal_next(bool own, siginfo_t *info);

#endif
