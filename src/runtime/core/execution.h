/* SPDX-License-Identifier: BSD-2-Clause
 *
 * execution.h - the end of the running execution, and of the worker that runs it. */
#ifndef HD_RUNTIME_CORE_EXECUTION_H
#define HD_RUNTIME_CORE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/campaign.h"
#include "model/execution.h"

/* The running execution is over (called on a fiber): does not return. */
_Noreturn void hd_execution_over(enum hd_ending ending);

/* The running execution is more than Heddle can keep track of: it ends here, with
 * a note instead of a verdict (called on a fiber). */
_Noreturn void hd_execution_cut(const char *why);

/* The index of the next execution of this worker among those of all workers. */
uint64_t hd_execution_index(const struct hd_totals *t);

/* The running execution is given up and begun again in another process, as if this one had been
 * killed: nothing of it counts. */
_Noreturn void hd_execution_begin_again(void);

/* This process may be damaged: use a fresh one for the next execution. */
void hd_execution_taint(void);
bool hd_execution_is_tainted(void);

/* Exit codes of a worker process: the campaign is over; the zygote forks another worker. */
enum hd_worker_exit { HD_WORKER_DONE = 0, HD_WORKER_NEXT = 10 };
_Noreturn void hd_leave_process(int code);

#endif
