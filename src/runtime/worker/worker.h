/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.h - zygote and workers: executions, one after the other, in process or
 * forked, and survival when one dies. */
#ifndef HD_RUNTIME_WORKER_WORKER_H
#define HD_RUNTIME_WORKER_WORKER_H

/* Runs the whole campaign on the scheduler's own stack. */
_Noreturn void hd_worker_run(void);

/* Put everything back to what it was before the execution. */
void hd_worker_restore(void);
/* Run the execution that hd_search_repeat has prepared; it is not judged. */
void hd_worker_repeat(void);

#endif
