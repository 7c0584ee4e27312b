/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limit.h - executions that do not end.
 *
 * L1  An execution with more than --max-steps steps is given up.
 * L2  An execution that is much longer than earlier ones, and whose second half only repeats the
 *     same steps with the same results, is given up earlier. "Much longer" means 20 times the
 *     average, and more while there are few executions to compare with (times 1.1 to the power of
 *     the number missing to ten); at least 4,000 steps, and 100,000 in the first execution.
 * L3  This is a finding only if every thread that could run in its second half has run.  Otherwise
 *     the scheduler is the cause, not the program: the execution is cut there, and the verdict
 *     names the loop.
 *
 * The loop may be merely slow, and the finding says so. */
#ifndef HD_RUNTIME_PROGRESS_LIMIT_H
#define HD_RUNTIME_PROGRESS_LIMIT_H

#include "runtime/core/rt.h"

void hd_limit_begin(void);
/* The execution has reached hd.next_look.  Ends it if it is too long.  Under a debugger this is
 * called before every step. */
void hd_limit_look(void);

#endif
