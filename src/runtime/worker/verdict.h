/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verdict.h - the outcome of an execution in which no thread can run, and other ends. */
#ifndef HD_RUNTIME_WORKER_VERDICT_H
#define HD_RUNTIME_WORKER_VERDICT_H

#include "runtime/core/rt.h"

/* Called when no thread is enabled.  Enables threads that may run only then (idle time-outs, the
 * end of the process, exhausted pollers).  If there are none, ends the execution. */
void hd_verdict_nobody_enabled(void);
/* Ends the execution: the search chooses no thread.  exec->ending says why. */
_Noreturn void hd_verdict_stopped(void);

#endif
