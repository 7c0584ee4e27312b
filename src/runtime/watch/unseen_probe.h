/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_probe.h - detects whether uninstrumented code runs concurrently with other threads.
 *
 * The tool has found the functions that Heddle does not see (model/unseen.h).  While only one
 * thread exists they are harmless, so the question is whether one of them runs while there are
 * other threads.
 *
 * P1  The first byte of each such function is a breakpoint (int3).  When it is hit while there are
 *     other threads, it is removed permanently and the function is reported.
 * P2  When the only thread hits a breakpoint, the breakpoint is removed, and set again when there are several threads.
 *     From then on, every execution begins without this breakpoint.  So a function that runs while there is one thread
 *     traps once, and then costs two stores per execution.  Functions that never run cost nothing.
 * P3  A function that a lone thread has entered may continue when there are other threads.  So when
 *     the first thread is created, the return addresses on its creator's stack that lead into such
 *     functions get breakpoints, and so do the places where they catch exceptions.
 * P4  A replay makes no claims and has no probes; a debugger would take them for its own. */
#ifndef HD_RUNTIME_WATCH_UNSEEN_PROBE_H
#define HD_RUNTIME_WATCH_UNSEEN_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Call it before main, when the modules are known. */
void hd_probe_init(void);
/* Call the first in the process that runs executions, before the first one; the second before each
 * execution. */
void hd_probe_worker(void);
void hd_probe_begin(void);

/* Call when a second thread is about to be created. */
extern bool hd_probe_waits __attribute__((visibility("hidden")));
void hd_probe_arm(void);
static inline void hd_probe_threads(void)
{
    if (__builtin_expect(hd_probe_waits, 0))
        hd_probe_arm();
}

/* For a breakpoint before pc: returns true if it was a probe.  The original instruction must then
 * be executed. */
bool hd_probe_hit(uintptr_t pc);

/* Call when the runtime has noticed without a probe that the code at pc runs: reports it.  Returns true if it was
 * already reported. */
bool hd_probe_ran(uintptr_t pc);

/* True if uninstrumented code with atomic instructions has run concurrently with other threads.  It
 * may have ordered accesses that look unordered. */
bool hd_probe_may_order(void);

/* Call when the target may have loaded objects: reports them to the tool. */
void hd_probe_late(void);
/* Call when the target makes memory executable. */
void hd_probe_code_made(void);

#endif
