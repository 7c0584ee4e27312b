/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal.h - shared by the interposers of signal functions. */
#ifndef HD_RUNTIME_CALLS_SIGNAL_H
#define HD_RUNTIME_CALLS_SIGNAL_H

#include <signal.h>

#include "runtime/core/thread_state.h"

/* hd_signal_set_action works like sigaction, hd_signal_set_mask like pthread_sigmask. */
int hd_signal_set_action(int signal, const struct sigaction *act, struct sigaction *old, uint64_t pc);
int hd_signal_set_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc);
/* Returns the live thread with this id, or NULL if there is none. */
struct hd_thread *hd_signal_thread(pid_t tid);
/* Waits until a handler has run in the running thread.  If mask is not NULL, it is the thread's
 * mask during the wait. */
int hd_signal_suspend(const sigset_t *mask, uint64_t pc);
/* Call it before the first execution. */
void hd_signal_init(void);
/* Looks up libc's setjmp.  Call it before the first execution, because the look-up leaves its
 * frames on the stack. */
void hd_jump_find(void) __attribute__((visibility("hidden")));

#endif
