/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_probe.h - does code that is not instrumented run beside other threads?
 *
 * The tool has found the functions that Heddle does not see (model/unseen.h).  What they do
 * while one thread is alone concerns nobody; so what is asked is whether one of them runs
 * while there are others.
 *
 * P1  The first byte of each such function is a breakpoint (int3).  Hit beside other threads,
 *     it is taken away for good and the function is named.
 * P2  Hit by a thread that is alone, it is taken away until there are threads again; what was
 *     hit so once is away at the beginning of every later execution.  So functions that only
 *     ever run alone cost one byte per execution, and all others nothing.
 * P3  A function that a thread has entered alone may go on when it is no longer alone: when
 *     the first thread is created, there is a breakpoint at every return address on the stack
 *     of its creator that leads into one of them, and where they catch exceptions.
 * P4  A replay claims nothing and has no probes; a debugger would take them for its own. */
#ifndef HD_RUNTIME_WATCH_UNSEEN_PROBE_H
#define HD_RUNTIME_WATCH_UNSEEN_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Before main: the modules are known. */
void hd_probe_init(void);
/* In the process that runs executions, before the first; and before each. */
void hd_probe_worker(void);
void hd_probe_begin(void);

/* There is about to be more than one thread. */
extern bool hd_probe_waits __attribute__((visibility("hidden")));
void hd_probe_arm(void);
static inline void hd_probe_threads(void)
{
    if (__builtin_expect(hd_probe_waits, 0))
        hd_probe_arm();
}

/* A breakpoint before pc: true when it was ours, and the instruction is to be run. */
bool hd_probe_hit(uintptr_t pc);

/* The code at pc, which has no need of a breakpoint, runs: true when nobody has to be told any more. */
bool hd_probe_ran(uintptr_t pc);

/* Has code that is not instrumented and has atomic instructions run beside other threads?  Then
 * it may have ordered accesses that look unordered. */
bool hd_probe_may_order(void);

/* The target may have loaded objects: name them to the tool. */
void hd_probe_late(void);
/* It makes memory executable. */
void hd_probe_code_made(void);

#endif
