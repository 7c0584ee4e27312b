/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton.h - computes the states of objects from events.
 *
 * The search asks about orders that did not run: if some steps were left out of an execution, would this
 * operation be enabled, and would it succeed?  To find out, it feeds the events of one object to an automaton.
 * The rules are those that also govern the running program (model/sync.h). */
#ifndef HD_MODEL_AUTOMATON_H
#define HD_MODEL_AUTOMATON_H

#include "base/set.h"
#include "model/object.h"
#include "model/sync.h"

/* One automaton models the queue and the tokens of a condition variable or futex. */
struct hd_automaton {
    struct hd_sync_state sync;
    uint64_t value; /* memory: value of the location, if known */
    uint32_t nthreads;
    uint32_t mark[HD_MAX_THREADS];   /* by tid: stamp in the queue; or the barrier's round; or the number of
                                      * read locks held */
    uint32_t tokens[HD_MAX_THREADS]; /* queue: its tokens; barrier, by tid: whether the thread may be the serial
                                      * one */
};

/* Return the object whose state determines whether the event can happen: hd_event_lock a lock or similar (or
 * memory), hd_event_queue a queue with tokens. 0: none. */
uint32_t hd_event_lock(const struct hd_event *e);
uint32_t hd_event_queue(const struct hd_event *e);

/* Resets the automaton for an execution with that many threads. */
void hd_automaton_reset(struct hd_automaton *a, uint32_t nthreads);

/* hd_automaton_lock_event changes the state of the event's lock or similar object, hd_automaton_queue_event
 * that of its queue. */
void hd_automaton_lock_event(struct hd_automaton *a, const struct hd_event *e);
void hd_automaton_queue_event(struct hd_automaton *a, const struct hd_event *e);

/* Returns what the operation would do now. `lock` and `queue` are the states of its objects; one that the
 * operation does not have is ignored.  A timed wait (HD_AUX_TIMED in aux) without a token times out. */
enum hd_run hd_automaton_run(const struct hd_automaton *lock, const struct hd_automaton *queue,
                             const struct hd_event *e);

/* True if the event takes something from other threads: a lock until its release, or, for good, a semaphore's
 * count or a token. */
bool hd_event_acquires(const struct hd_event *e);

/* aux of the parts of a wait that may time out. */
#define HD_AUX_TIMED 1

/* value of a COND_WAKE by a cancelled thread, which takes the mutex but no token. */
#define HD_WAKE_CANCELLED 2

#endif
