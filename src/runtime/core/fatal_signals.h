/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fatal_signals.h - the signals whose handlers must stay the runtime's. */
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

/* Where handlers of ours return to. */
void hd_sigreturn(void);

enum { HD_FATAL_SIGNALS = 8 };
extern const int hd_fatal_signals[HD_FATAL_SIGNALS];
/* Is it one of them? */
bool hd_signal_is_fatal(int signal);
/* All of them, as the kernel's set: no mask may hold one back. */
uint64_t hd_fatal_signals_set(void);
/* Give the handlers a stack in the calling kernel thread. */
void hd_fatal_signals_use_stack(void);

#endif
