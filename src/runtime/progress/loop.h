/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.h - recognises loops that wait, and stops following them.
 *
 * poll.h and cycle.h recognise loops by the state of the thread.  Many waiting loops never reach
 * the same state again: they count their rounds, write a log, sleep longer each time, or allocate.
 * While the thread that would end the loop is not scheduled, such a loop would run to the step
 * limit.
 *
 * W1  A thread waits in a loop if it has run alone for many rounds, each with the same operations
 *     at the same sites on the same objects.  policy.h says how many.  There are two cases.
 *     (a) PAUSES: each round yields, sleeps, times out or fails in an attempt, or does nothing visible
 *     and reads the same values; and it neither wakes another thread nor takes anything that another
 *     thread gave.  Such a loop does little but wait.  (b) UNCHANGED: each round reads something and
 *     finds it unchanged.  Such a loop may also be working and end by itself.
 * W2  If other threads could have run, the thread is stopped until one of them moves, or no other thread can run.
 *     Two stopped waiters must not keep releasing each other while a third thread starves: a stopped thread's
 *     progress counts only after some other thread has moved.  A waiter is recognised only while it runs alone for
 *     some time, so each time a thread is stopped, it takes twice as many operations of other threads to release it.
 * W3  Heddle cannot know whether the loop would have ended in the next round.  Executions with more
 *     of its rounds in a row are lost, and the verdict says so, with the loop and the number.
 *     Whether the thread is stopped depends on the total order of the execution, not on the partial
 *     order, so a reduced search makes no claim (HD_FACT_LOOP). */
#ifndef HD_RUNTIME_PROGRESS_LOOP_H
#define HD_RUNTIME_PROGRESS_LOOP_H

#include "runtime/core/thread_state.h"
#include "runtime/progress/policy.h"

void hd_loop_begin(void);
/* Call when a thread in the loop at pc is stopped, temporarily or for good, after that many rounds. */
void hd_loop_cut(uint64_t pc, uint32_t rounds);
/* W1, W2: returns the kind of loop because of which t, which is running, must be stopped now; NONE: it need not be
 * stopped.  Only events from *since on count; *since advances over events that need no further check. */
enum hd_loop_kind hd_loop_waits(const struct hd_thread *t, uint32_t *since);
/* Call when t has been stopped.  `before`: how often it had been stopped earlier.  Returns how many changing
 * operations of other threads release it. */
uint32_t hd_loop_stopped(const struct hd_thread *t, uint32_t before);
/* W2: true if the progress of `by` counts towards releasing stopped threads. */
bool hd_loop_counts(const struct hd_thread *by);

#endif
