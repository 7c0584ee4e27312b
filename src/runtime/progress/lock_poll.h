/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock_poll.h - threads that poll under a lock: do { lock(m); seen = flag; unlock(m); } while (!seen);
 *
 * K1  A round takes and releases one mutex and otherwise only reads, or fails to take other locks.  If a thread comes back to its lock in the same state
 *     (poll.h, P1), the next round will be the same, unless another thread has used the mutex since, or has
 *     changed an atomic object or a lock that the thread has read or tried: memory that is read by plain accesses is changed by
 *     others under the mutex, or there is a data race.  So the thread is held before the lock until then, as
 *     poll.h holds others, and the events tell the search what it waits for (P4).
 * K2  Other threads may notice the rounds that are left out only by an attempt at the mutex that fails.  If a
 *     thread attempts to take it, the search makes no claim (HD_FACT_CYCLE).  Bounded searches do not use this: leaving a
 *     thread that is held is free, and minpreempt.h does not know that.  Schedules say whether the search used it
 *     (hd_settings.lock_polls).
 * K3  Whether a thread is held depends on its own history (P4): from a number of steps on, its registers are looked at
 *     whenever it locks. */
#ifndef HD_RUNTIME_PROGRESS_LOCK_POLL_H
#define HD_RUNTIME_PROGRESS_LOCK_POLL_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"
#include "runtime/progress/cycle.h"

void hd_lock_poll_begin(void);
/* t, which holds no lock, is about to lock o in that state.  Returns true if it is held before that. */
bool hd_lock_poll_visit(struct hd_thread *t, const struct hd_obj *o, const struct hd_visit *v);
/* An attempt to take a lock has been recorded: K2. */
void hd_lock_poll_attempt(const struct hd_event *e);
/* True if the events from that one on are rounds of t that hd_lock_poll_visit will recognise. */
bool hd_lock_poll_expects(hd_tid t, uint32_t event);

#endif
