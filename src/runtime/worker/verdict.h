/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verdict.h - the outcome of an execution in which no thread can run, and other ends. */
#ifndef HD_RUNTIME_WORKER_VERDICT_H
#define HD_RUNTIME_WORKER_VERDICT_H


/* Called when no thread is enabled.  Enables threads that may run only then (idle time-outs, the
 * end of the process, exhausted pollers).  If there are none, ends the execution. */
void hd_verdict_nobody_enabled(void);
/* Ends the execution: the search chooses no thread.  exec->ending says why. */
void hd_verdict_stopped(void)
    __attribute__((noreturn)); /* not _Noreturn: clang keeps it out of the type, and a table of callbacks needs it */

#endif
