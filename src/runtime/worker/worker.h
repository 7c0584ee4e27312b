/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker.h - the executions of a worker, one after the other. */
#ifndef HD_RUNTIME_WORKER_WORKER_H
#define HD_RUNTIME_WORKER_WORKER_H

#include <stdbool.h>

/* Runs up to quota executions (0: no limit).  Returns enum hd_worker_exit. */
int hd_worker_executions(unsigned quota);
/* Begins the next execution.  Returns false if the campaign is over for this worker, or the search restarts. */
bool hd_worker_begin_next(void);
/* Restores everything to its state before the execution. */
void hd_worker_restore(void);
/* Runs the execution that hd_search_repeat has prepared.  It is not judged. */
void hd_worker_repeat(void);

/* The zygote calls these functions, too.  is_over: true if the campaign is over for this worker.  end_step:
 * ends the execution for the search.  tell_count: stores the number of executions where the other
 * workers read it. */
bool hd_worker_is_over(void);
void hd_worker_end_step(void);
void hd_worker_tell_count(void);

#endif
