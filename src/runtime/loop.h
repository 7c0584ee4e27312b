/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.h - loops that are not followed to their end.
 *
 * Polling (poll.h) and cycles (cycle.h) are recognised by the state of the thread.  Many
 * loops that wait never come back in the same state: they count their rounds, write a
 * log, sleep a little longer each time, allocate.  While the one that would end it is
 * passed over, such a loop would go on to the step limit.
 *
 * W1  A thread waits in a loop when it alone has run for HD_LOOP_PATIENCE times
 *     --loop-bound rounds, each with the same operations at the same places on the same
 *     objects, and each has yielded, slept, timed out or failed in an attempt, or has done
 *     nothing that others can see and read the same values.
 * W2  If others could have run it is stopped until one of them gets on, or nobody else
 *     can run.  Others that wait so themselves, and only because of whom it was let go,
 *     do not count: they would let each other go on for ever while a third is passed over.
 * W3  That it would have ended by itself in one more round cannot be told from outside:
 *     the verdict names the loop, and a reduced search makes no claim (HD_FACT_LOOP). */
#ifndef HD_RUNTIME_LOOP_H
#define HD_RUNTIME_LOOP_H

#include "runtime/rt.h"

void hd_loop_begin(void);
/* A thread that goes round the loop at pc is stopped, for a while or for good. */
void hd_loop_cut(uint64_t pc);
/* W1, W2: t, which runs, is to be stopped; only events from since on count. */
bool hd_loop_waits(const struct hd_thread *t, uint32_t since);
/* t has been stopped for that. */
void hd_loop_stopped(const struct hd_thread *t);
/* W2: by has got on.  Is that a reason to let those go on who are stopped? */
bool hd_loop_counts(const struct hd_thread *by);

#endif
