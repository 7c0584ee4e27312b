/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal_handler.h - runs a handler of the program as code of a logical thread. */
#ifndef HD_RUNTIME_KERNEL_SIGNAL_HANDLER_H
#define HD_RUNTIME_KERNEL_SIGNAL_HANDLER_H

#include <signal.h>

#include "runtime/core/thread_state.h"

/* Runs the handler of the signal in t, with the mask of its action, on the alternate stack if the
 * action wants that.  Returns true if the action restarts waits (SA_RESTART). */
bool hd_signal_run_handler(struct hd_thread *t, const siginfo_t *info, const stack_t *alternate, uint64_t pc);

/* True if the stack pointer is on the alternate stack, and that is in use. */
bool hd_signal_on_stack(const stack_t *alternate, uintptr_t sp);

#endif
