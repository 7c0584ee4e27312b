/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late_start.h - executions that begin at heddle_start(), under fork isolation: a server is initialised once, and not
 * for each of its executions.
 *
 * Q1  A worker that comes to heddle_start() goes no further: it becomes a *holder*.  Each of its forks runs the rest of
 *     one execution, as a worker does, and ends.  All memory, of the target and of the runtime, is that of the
 *     holder.  What both share is put back: the record of the execution in the wire, the captured output.
 * Q2  The search does not notice: it begins the execution, and is told of the decisions of the prologue one by one
 *     (progress/prologue.h, O4).  If it decides otherwise there, a new worker runs the execution from its beginning.
 * Q3  A worker becomes a holder only if its prologue has no finding and no choice, has changed no file, started no
 *     process and shares no memory, plain accesses are no scheduling points (which ones may change), the kernel's objects
 *     behind its descriptors can be compared (restore/open_objects.h), and a fork has all of the kernel's state
 *     of the process (restore/kernel_state.h).
 * Q4  A holder ends when an execution has ended otherwise than in peace, has changed a file or one of these objects, or
 *     when the search has learnt something that applies to the prologue, too.  Then the next worker runs the prologue
 *     again. */
#ifndef HD_RUNTIME_WORKER_LATE_START_H
#define HD_RUNTIME_WORKER_LATE_START_H

/* The prologue of this execution is over.  Returns in the process that runs the rest of it. */
void hd_late_start(void);

#endif
