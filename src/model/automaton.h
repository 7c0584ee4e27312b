/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton.h - objects whose states follow from events.
 *
 * The search asks about orders that did not run: after some steps were left out of an
 * execution, is this operation enabled, and would its attempt succeed?  It feeds an automaton
 * with the events of one object; the rules are those of the running program (model/sync.h). */
#ifndef HD_MODEL_AUTOMATON_H
#define HD_MODEL_AUTOMATON_H

#include "base/set.h"
#include "model/object.h"
#include "model/sync.h"

/* A condition's (futex's) queue and tokens are one automaton. */
struct hd_automaton {
    struct hd_sync_state sync;
    uint64_t value; /* memory: value of the location, if known */
    uint32_t nthreads;
    uint32_t mark[HD_MAX_THREADS];   /* by tid: stamp in the queue, round, read locks held */
    uint32_t tokens[HD_MAX_THREADS]; /* queue: tokens; barrier, by tid: may the thread win? */
};

/* Returns the object whose state determines whether the event can happen: hd_event_lock a lock-like
 * one (or memory), hd_event_queue a queue with tokens.  0: none. */
uint32_t hd_event_lock(const struct hd_event *e);
uint32_t hd_event_queue(const struct hd_event *e);

/* Set up for an execution of that many threads. */
void hd_automaton_reset(struct hd_automaton *a, uint32_t nthreads);

/* hd_automaton_lock_event changes the state of the event's lock-like object,
 * hd_automaton_queue_event that of its queue. */
void hd_automaton_lock_event(struct hd_automaton *a, const struct hd_event *e);
void hd_automaton_queue_event(struct hd_automaton *a, const struct hd_event *e);

/* Returns what the operation would do now.  lock and queue are the states of its objects; one that
 * it does not have is ignored.  A timed wait (HD_AUX_TIMED in aux) without a token times out. */
enum hd_run hd_automaton_run(const struct hd_automaton *lock, const struct hd_automaton *queue,
                             const struct hd_event *e);

/* True if the event takes the object from other threads until it is given back, or for good (a
 * semaphore's count, a token). */
bool hd_event_acquires(const struct hd_event *e);

/* aux of the parts of a wait that may time out. */
#define HD_AUX_TIMED 1

/* value of a COND_WAKE by a cancelled thread, which takes the mutex but no token. */
#define HD_WAKE_CANCELLED 2

#endif
