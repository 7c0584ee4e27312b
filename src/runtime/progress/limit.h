/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limit.h - executions that do not end.
 *
 * L1  An execution with more than --max-steps steps is given up.  It is counted as too long.  It is not a finding,
 *     because it may be merely long.
 * L2  An execution that is much longer than earlier ones (policy.h, HD_LONG_FACTOR), and whose second
 *     half only repeats the same steps with the same results, is given up earlier.
 * L3  With --livelock N the user states that N steps are enough.  An execution that reaches them is a
 *     finding if every thread that could run in its second half has run.  Otherwise the scheduler is the
 *     cause, not the program: the execution is cut there, and the verdict names the loop.  L2 does not
 *     apply then.
 * L4  A --max-steps below 1,000 is meant as a bound of the search: executions that it cuts are not reported as loops.
 * L5  The place where a long execution takes most of its steps is recorded, because a smaller test needs
 *     fewer steps there. */
#ifndef HD_RUNTIME_PROGRESS_LIMIT_H
#define HD_RUNTIME_PROGRESS_LIMIT_H

void hd_limit_begin(void);
/* Call when a thread has yielded out of a loop without a visible operation. */
void hd_limit_yielded(void);
/* Call when the execution has reached hd.next_check.  Ends it if it is too long.  Under a debugger this is called
 * before every step. */
void hd_limit_look(void);
/* Call when the execution is over (L5). */
void hd_limit_end(void);

#endif
