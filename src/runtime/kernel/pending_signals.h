/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pending_signals.h - the actions of signals, and the signals that were sent and not yet taken.  Only signals.c
 * and signal_handler.c use this file; signals.h is for the others. */
#ifndef HD_RUNTIME_KERNEL_PENDING_SIGNALS_H
#define HD_RUNTIME_KERNEL_PENDING_SIGNALS_H

#include "runtime/kernel/signals.h"

#define HD_SIGNALS_UNBLOCKABLE (hd_signal_bit(SIGKILL) | hd_signal_bit(SIGSTOP))

/* hd_signal_is_ignored and hd_signal_is_caught depend on the action, hd_signal_is_stop on the number
 * alone: by default the signal stops the process. */
bool hd_signal_is_caught(int number);
bool hd_signal_is_ignored(int number);
bool hd_signal_is_stop(int number);
/* Resets the action to the default (SA_RESETHAND). */
void hd_signal_reset_action(int number);

/* Forgets the pending signals of the last execution.  Call before any other function for signals of the process. */
void hd_signal_begin(void);
/* Adds a pending signal for that thread, or (HD_NO_TID) for the process. */
void hd_signal_queue(hd_tid to, const siginfo_t *info);
/* Takes the lowest-numbered signal of the set, those for the thread before those for the process,
 * as Linux does.  Returns its number, or 0. */
int hd_signal_take_pending(const struct hd_thread *t, uint64_t set, siginfo_t *info);

#endif
