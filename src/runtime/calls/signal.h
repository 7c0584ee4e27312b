/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal.h - what the interposers of signals share. */
#ifndef HD_RUNTIME_CALLS_SIGNAL_H
#define HD_RUNTIME_CALLS_SIGNAL_H

#include <signal.h>

#include "runtime/core/rt.h"

/* As sigaction; as pthread_sigmask. */
int hd_signal_set_action(int signal, const struct sigaction *act, struct sigaction *old, uint64_t pc);
int hd_signal_set_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc);
/* The live thread that has this id; NULL: none. */
struct hd_thread *hd_signal_thread(pid_t tid);
/* Until a handler has run in the running thread; with another mask meanwhile, unless NULL. */
int hd_signal_suspend(const sigset_t *mask, uint64_t pc);
/* Before the first execution. */
void hd_signal_init(void);
/* Look up libc's setjmp; before the first execution, since the look-up leaves its frames on the stack. */
void hd_jump_find(void) __attribute__((visibility("hidden")));

#endif
