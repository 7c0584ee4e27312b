/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late_start.h - starts executions at heddle_start(), under fork isolation: the program (a server, for example)
 * initialises itself once instead of in each execution.
 *
 * Q1  A worker that reaches heddle_start() stops there and becomes a *holder*.  Each of its forks runs the rest of
 *     one execution, as a worker does, and ends.  A fork starts with the memory of the holder, both the target's and
 *     the runtime's.  State that is shared with the holder (the record of the execution in the wire, the captured
 *     output) is restored.
 * Q2  For the search nothing changes: it begins the execution, and the runtime reports the decisions of the prologue
 *     to it one by one (progress/prologue.h, O4).  If the search decides differently in the prologue, a new worker
 *     runs the execution from its beginning.
 * Q3  A worker becomes a holder only if all of this holds: its prologue has no finding and no choice, has changed no
 *     file, started no process and shares no memory; plain accesses are not scheduling points (the set of those may
 *     change); the kernel objects of its descriptors can be compared (restore/open_objects.h); and a fork inherits
 *     all of the kernel's state of the process (restore/kernel_state.h).
 * Q4  A holder ends when an execution has not ended normally, or has changed a file or one of these objects, or
 *     when the search has learnt something that applies to the prologue as well.  Then the next worker runs the
 *     prologue again. */
#ifndef HD_RUNTIME_WORKER_LATE_START_H
#define HD_RUNTIME_WORKER_LATE_START_H

/* Call when the prologue of this execution is over.  Returns in the process that runs the rest of the execution. */
void hd_late_start(void);

#endif
