/* SPDX-License-Identifier: BSD-2-Clause
 *
 * execution.h - the end of the running execution, and of the worker that runs it. */
#ifndef HD_RUNTIME_CORE_EXECUTION_H
#define HD_RUNTIME_CORE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/campaign.h"
#include "model/execution.h"

/* Ends the running execution.  Call on a fiber. */
_Noreturn void hd_execution_over(enum hd_ending ending);

/* Ends the running execution because it exceeds what Heddle can track.  The verdict then has a note
 * instead of a claim.  Call on a fiber. */
_Noreturn void hd_execution_cut(const char *why);

/* Returns the index of this worker's next execution among the executions of all workers. */
uint64_t hd_execution_index(const struct hd_totals *t);

/* Gives up the running execution and ends the process.  Another process runs the execution from the
 * start.  Nothing of it counts, as if the process had been killed. */
_Noreturn void hd_execution_begin_again(void);

/* Marks this process as possibly damaged: the next execution gets a fresh one. */
void hd_execution_taint(void);
bool hd_execution_is_tainted(void);

/* Exit codes of a worker process.  HD_WORKER_DONE: the campaign is over.  HD_WORKER_NEXT: the zygote forks another
 * worker.  HD_WORKER_LATE: the process that ran the execution was another one; its status is in wire.late_status
 * (worker/late_start.h). */
enum hd_worker_exit { HD_WORKER_DONE = 0, HD_WORKER_NEXT = 10, HD_WORKER_LATE = 11 };
_Noreturn void hd_leave_process(int code);

#endif
