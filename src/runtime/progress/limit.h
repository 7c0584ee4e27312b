/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limit.h - executions that do not end.
 *
 * L1  More than --max-steps steps: given up, whatever it does.
 * L2  An execution that has become much longer than those before it, and has done
 *     nothing for half of its length but repeat the same steps with the same results, is
 *     given up earlier.  How much longer: 20 times the average, and more (1.1 to the
 *     power of those missing to ten) while there are few to compare with; at least
 *     4,000 steps, and 100,000 in the first execution.
 * L3  That is a finding only when in the last half of it every thread that could run has
 *     run.  Otherwise the scheduler is to blame, not the program: the execution is cut
 *     there, and the verdict names the loop.
 * What is found may be merely slow, and the finding says so. */
#ifndef HD_RUNTIME_PROGRESS_LIMIT_H
#define HD_RUNTIME_PROGRESS_LIMIT_H

#include "runtime/core/rt.h"

void hd_limit_begin(void);
/* The execution has come to hd.next_look: ends it when it is too long.  Under a debugger
 * this is before every step. */
void hd_limit_look(void);

#endif
