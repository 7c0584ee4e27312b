/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.h - zygote and workers: executions, one after the other, in process or
 * forked, and survival when one dies. */
#ifndef HD_RUNTIME_WORKER_WORKER_H
#define HD_RUNTIME_WORKER_WORKER_H

#include "model/campaign.h"
#include "model/execution.h"

/* Runs the whole campaign on the scheduler's own stack. */
_Noreturn void hd_worker_run(void);

/* The running execution is over (called on a fiber): does not return. */
_Noreturn void hd_worker_execution_over(enum hd_ending ending);

/* The running execution is more than Heddle can keep track of: it ends here, with
 * a note instead of a verdict (called on a fiber). */
_Noreturn void hd_worker_cut(const char *why);

/* The index of the next execution of this worker among those of all workers. */
uint64_t hd_worker_index(const struct hd_totals *t);

/* The running execution is given up and begun again in another process, as if this one had been
 * killed: nothing of it counts. */
_Noreturn void hd_worker_begin_again(void);

/* This process may be damaged: use a fresh one for the next execution. */
void hd_worker_taint(void);
bool hd_worker_is_tainted(void);

/* Put everything back to what it was before the execution. */
void hd_worker_restore(void);
/* Run the execution that hd_search_repeat has prepared; it is not judged. */
void hd_worker_repeat(void);

#endif
