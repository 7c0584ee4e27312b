/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crash.h - fatal signals: pages that become hot, and crashes of the target. */
#ifndef HD_RUNTIME_REPORT_CRASH_H
#define HD_RUNTIME_REPORT_CRASH_H

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

void hd_crash_init(void);
/* The handlers get a stack in the kernel thread that calls this. */
void hd_crash_use_stack(void);
/* Is it a signal whose handler must stay ours? */
bool hd_crash_owns(int signal);
/* All of them, as the kernel's set: no mask may hold one back. */
uint64_t hd_crash_signals(void);

#endif
