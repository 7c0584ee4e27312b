/* SPDX-License-Identifier: BSD-2-Clause
 *
 * verdict.h - what it means when nobody can run, and other ends. */
#ifndef HD_RUNTIME_WORKER_VERDICT_H
#define HD_RUNTIME_WORKER_VERDICT_H

#include "runtime/core/rt.h"

/* No thread is enabled: lets those run that may only then (idle time-outs, the
 * end of the process, exhausted pollers) or ends the execution. */
void hd_verdict_nobody_enabled(void);
/* The search lets nobody run: exec->ending says why. */
_Noreturn void hd_verdict_stopped(void);

#endif
