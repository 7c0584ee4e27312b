/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.h - loops that are not followed to their end.
 *
 * Polling (poll.h) and cycles (cycle.h) are recognised by the state of the thread.  Many
 * loops that wait never come back in the same state: they count their rounds, write a
 * log, sleep a little longer each time, allocate.  While the one that would end it is
 * passed over, such a loop would go on to the step limit.
 *
 * W1  A thread waits in a loop when it alone has run for many rounds, each with the same
 *     operations at the same places on the same objects, and each round
 *       - has yielded, slept, timed out or failed in an attempt, or has done nothing that
 *         others can see and read the same values; and has neither woken anybody nor taken
 *         what others gave.  Many is 4 times --loop-bound: it does little else but wait;
 *       - or has looked at something and found it as before.  Many is 400 times
 *         --loop-bound: it may just as well work, and end by itself.
 * W2  If others could have run it is stopped until one of them gets on, or nobody else
 *     can run.  Others that wait so themselves must not let each other go on for ever
 *     while a third is passed over: who has been stopped does not count until somebody
 *     else has got on; and before it can be seen that they wait, they have to be alone for
 *     a while, so each time that a thread is stopped it takes twice as many operations of
 *     others until it is let go.
 * W3  That it would have ended by itself in one more round cannot be told from outside.
 *     What is lost needs more of its rounds in a row, and the verdict says so up front,
 *     with the loop and the number.  Whether it is stopped depends on the order of the
 *     execution, not on the partial order: a reduced search makes no claim
 *     (HD_FACT_LOOP). */
#ifndef HD_RUNTIME_PROGRESS_LOOP_H
#define HD_RUNTIME_PROGRESS_LOOP_H

#include "runtime/core/rt.h"

void hd_loop_begin(void);
/* A thread that goes round the loop at pc is stopped, for a while or for good, after so
 * many rounds. */
void hd_loop_cut(uint64_t pc, uint32_t rounds);
/* W1, W2: after how many rounds t, which runs, is to be stopped now; 0: it is not.  Only
 * events from *since on count, which moves when they are of no further use. */
uint32_t hd_loop_waits(const struct hd_thread *t, uint32_t *since);
/* t has been stopped for that, as it was so many times before: how many operations of
 * others, which change something, let it go. */
uint32_t hd_loop_stopped(const struct hd_thread *t, uint32_t before);
/* W2: by has got on.  Is that a reason to let those go on who are stopped? */
bool hd_loop_counts(const struct hd_thread *by);

#endif
