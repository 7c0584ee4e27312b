/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fatal_signals.h - the signals that only the runtime may handle. */
#ifndef HD_RUNTIME_CORE_FATAL_SIGNALS_H
#define HD_RUNTIME_CORE_FATAL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct hd_kernel_sigaction { /* the kernel's layout, not libc's */
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* The return address of the runtime's signal handlers: calls rt_sigreturn. */
void hd_sigreturn(void);

enum { HD_FATAL_SIGNALS = 8 };
extern const int hd_fatal_signals[HD_FATAL_SIGNALS];
/* Returns true if `signal` is one of hd_fatal_signals. */
bool hd_signal_is_fatal(int signal);
/* Returns all fatal signals as a signal set of the kernel.  No signal mask may block one of them. */
uint64_t hd_fatal_signals_set(void);
/* Gives the calling kernel thread an alternate stack for the handlers. */
void hd_fatal_signals_use_stack(void);

#endif
