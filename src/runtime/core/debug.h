/* SPDX-License-Identifier: BSD-2-Clause
 *
 * debug.h - one schedule under a debugger (`heddle replay --gdb`).
 *
 * D1  Every logical thread runs on a kernel thread of its own: that of its donor,
 *     main on the first one, where the scheduler is, too.  So a debugger that knows
 *     nothing of fibers shows each of them with its stack, its registers and its
 *     thread-local variables, and can step it.  Exactly one has the turn; the others
 *     sleep inside hd_switch, where a fiber stands otherwise.  All that the runtime
 *     takes for granted of its one kernel thread (rt.h, R1) holds of the turn: the
 *     signal mask is handed over with it, and who sleeps takes no signals.
 * D2  The debugger stops in heddle_debug_stop, which is called in the thread that it is
 *     about, and only when there is something to stop for: whether a step is one that
 *     was asked for is decided here, not by a condition of a breakpoint.
 * D3  The debugger finds its way by heddle_debug alone.  A runtime without debug
 *     information will do: names and places of all that it reads are in a table.
 *
 * Without cfg->debug nothing of this costs anything: hd_switch looks only where the
 * processor lacks FSGSBASE, which it is made to believe, and steps are looked at where
 * the limits are. */
#ifndef HD_RUNTIME_CORE_DEBUG_H
#define HD_RUNTIME_CORE_DEBUG_H

#include "runtime/core/rt.h"

/* Why it stops; the debugger's extension has the same list. */
enum hd_debug_reason {
    HD_DEBUG_READY,    /* before the execution: the wishes may be set */
    HD_DEBUG_STEP,     /* the step that was asked for comes next, and is this thread's */
    HD_DEBUG_FOUND,    /* a finding */
    HD_DEBUG_DIVERGED, /* the program does not repeat itself */
    HD_DEBUG_OVER,     /* the execution has ended */
};

/* Before the first donor is made. */
void hd_debug_init(void);
/* A donor is ready: it has that slot. */
void hd_debug_donor(unsigned slot);
void hd_debug_stop(enum hd_debug_reason reason);
/* Before every decision: does the debugger want to stop there? */
void hd_debug_step(void);
void hd_debug_found(const struct hd_finding *f);

/* Called by hd_switch and hd_fiber_rest: hand the turn to the kernel thread of hd.cur
 * (NULL: the scheduler), whose stack pointer is to be sp, and sleep until it comes back;
 * or only sleep.  Return the stack pointer to go on with. */
uint64_t hd_debug_pass(uint64_t sp);
uint64_t hd_debug_wait(unsigned slot);

#endif
