/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock_poll.h - threads that poll under a lock: do { lock(m); seen = flag; unlock(m); } while (!seen);
 *
 * K1  A round takes and releases one mutex and otherwise only reads, or fails to take other locks.  If a thread comes
 *     back to its lock in the same state (poll.h, P1), the next round will be the same, unless another thread has
 *     used the mutex since, or has changed an atomic object or a lock that the thread has read or tried.  (Other
 *     threads change memory that the thread reads by plain accesses only under the mutex; otherwise there is a data
 *     race.)  So the thread is held before the lock until then, as in poll.h, and its events tell the search what it
 *     waits for (P4).
 * K2  Other threads can notice a missing round only by a failing attempt to take the mutex (trylock).  If a thread
 *     makes such an attempt, the search makes no claim (HD_FACT_CYCLE).  Bounded searches do not hold threads in this
 *     way: a switch away from a held thread is no preemption, and minpreempt.h does not know that.  Schedules record
 *     whether the search did (hd_settings.lock_polls).
 * K3  Whether a thread is held depends only on its own history (P4): after a fixed number of steps, its registers
 *     are checked whenever it locks. */
#ifndef HD_RUNTIME_PROGRESS_LOCK_POLL_H
#define HD_RUNTIME_PROGRESS_LOCK_POLL_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"
#include "runtime/progress/cycle.h"

void hd_lock_poll_begin(void);
/* Call when t, which holds no lock, is about to lock o in that state.  Returns true if t is held before the lock. */
bool hd_lock_poll_visit(struct hd_thread *t, const struct hd_obj *o, const struct hd_visit *v);
/* Call when an attempt to take a lock has been recorded (K2). */
void hd_lock_poll_attempt(const struct hd_event *e);
/* True if the events from that one on are rounds of t that hd_lock_poll_visit will recognise. */
bool hd_lock_poll_expects(hd_tid t, uint32_t event);

#endif
