/* SPDX-License-Identifier: BSD-2-Clause
 *
 * debug.h - replay of one schedule under a debugger (`heddle replay --gdb`).
 *
 * D1  Every logical thread runs on a kernel thread of its own, that of its donor.  Main runs on the
 *     first kernel thread, which also runs the scheduler.  A debugger that knows nothing of fibers
 *     therefore shows each thread with its stack, registers and thread-local variables, and can
 *     step it.  Exactly one kernel thread has the turn.  The others sleep inside hd_switch, where a
 *     fiber would be suspended otherwise.  The runtime's assumptions about its one kernel thread
 *     (core/state.h, R1) hold for the one with the turn: the signal mask passes on with the turn, and
 *     sleeping threads take no signals.
 * D2  The debugger's breakpoint is in heddle_debug_stop.  The runtime calls it in the thread that
 *     the stop concerns, and only for a stop that the debugger wants.  So the runtime decides
 *     whether a step is the requested one; the breakpoint has no condition.
 * D3  The debugger needs only the symbol heddle_debug.  It works with a runtime without debug
 *     information: a table holds the names and offsets of all fields that it reads.
 *
 * Without cfg->debug this costs nothing.  hd_switch tests for debugging only on its path for processors without
 * FSGSBASE; with cfg->debug the runtime pretends that FSGSBASE is missing.  Requested steps are checked together
 * with the limits (hd_limit_look). */
#ifndef HD_RUNTIME_CORE_DEBUG_H
#define HD_RUNTIME_CORE_DEBUG_H

#include <stdint.h>

#include "wire/wire.h"


/* Why the runtime stops for the debugger.  The debugger's extension has the same list. */
enum hd_debug_reason {
    HD_DEBUG_READY,    /* before the execution: the debugger may now set stop_at and stop_at_switch */
    HD_DEBUG_STEP,     /* the requested step comes next; the calling thread makes it */
    HD_DEBUG_FOUND,    /* the runtime has reported a finding */
    HD_DEBUG_DIVERGED, /* the program does not follow the recorded schedule */
    HD_DEBUG_OVER,     /* the execution has ended */
};

/* Sets up the table for the debugger.  Call before the first donor is made. */
void hd_debug_init(void);
/* Called by the new donor of this slot: prepares its kernel thread to run fibers. */
void hd_debug_donor(unsigned slot);
void hd_debug_stop(enum hd_debug_reason reason);
/* Called before every decision: stops if the debugger has requested this step. */
void hd_debug_step(void);
void hd_debug_found(const struct hd_finding *f);

/* Called by hd_switch and hd_fiber_rest.  hd_debug_pass gives the turn to the kernel thread of
 * hd.cur (NULL: the scheduler), which continues with stack pointer sp.  Both sleep until the
 * caller's kernel thread gets the turn, and return the stack pointer with which it continues. */
uint64_t hd_debug_pass(uint64_t sp);
uint64_t hd_debug_wait(unsigned slot);

#endif
