/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.h - zygote and workers, which run the executions one after the other, in process or
 * forked, and recover when a process dies. */
#ifndef HD_RUNTIME_WORKER_WORKER_H
#define HD_RUNTIME_WORKER_WORKER_H

/* Runs the whole campaign on the scheduler's own stack. */
_Noreturn void hd_worker_run(void);

/* Restores everything to its state before the execution. */
void hd_worker_restore(void);
/* Runs the execution that hd_search_repeat has prepared.  It is not judged. */
void hd_worker_repeat(void);

#endif
