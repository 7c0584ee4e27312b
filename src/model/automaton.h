/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton.h - what sync objects do, as pure data: can an operation run in this
 * state, with which outcome, and what does it change.
 *
 * The runtime decides the same on its own objects while the program runs.  The
 * search needs it for orders that did not run: after some steps were left out of
 * an execution, is this operation enabled, and would its attempt succeed?  So the
 * automata are fed with events, and only with those of the objects in question. */
#ifndef HD_MODEL_AUTOMATON_H
#define HD_MODEL_AUTOMATON_H

#include "base/set.h"
#include "model/event.h"

/* The state of one object.  Only the fields of its family mean anything; a
 * condition's (futex's) queue and tokens are one automaton. */
struct hd_automaton {
    uint64_t value;  /* memory: what the location holds, when `known` */
    uint32_t count;  /* semaphore value, readers, arrivals of the open round; thread: detached */
    uint32_t limit;  /* barrier: arrivals that close a round */
    uint32_t round;  /* barrier: the open round, from 1 */
    uint32_t seq;    /* stamps of waiters and tokens */
    uint32_t nwaiters; /* barrier: free to leave; rwlock: writers that queue */
    uint32_t ntokens;
    hd_tid owner;    /* holder, writer, runner; HD_NO_TID none */
    bool done;       /* once: over; thread: ended; process: exiting; semaphore: destroyed */
    bool known;      /* barrier: who comes first of the open round is looked at */
    uint32_t nthreads;
    uint32_t mark[HD_MAX_THREADS];   /* stamp in the queue, rounds, read locks held */
    uint32_t tokens[HD_MAX_THREADS]; /* stamps, oldest first; barrier, by tid: may it win? */
};

enum hd_run {
    HD_RUN_BLOCKED, /* not enabled */
    HD_RUN_OK,
    HD_RUN_FAILS,   /* enabled; the attempt fails, the wait times out */
    HD_RUN_UNKNOWN, /* enabled; which of both cannot be told */
};

/* The objects whose states decide about the event: a lock-like one (or memory)
 * and a queue with tokens.  0: none. */
uint32_t hd_event_lock(const struct hd_event *e);
uint32_t hd_event_queue(const struct hd_event *e);

/* Set up for an execution of that many threads. */
void hd_automaton_reset(struct hd_automaton *a, uint32_t nthreads);

/* The event happened: change the state of its lock-like object, of its queue. */
void hd_automaton_lock_event(struct hd_automaton *a, const struct hd_event *e);
void hd_automaton_queue_event(struct hd_automaton *a, const struct hd_event *e);

/* What would the operation do now?  lock and queue are the states of its objects;
 * one that it does not have is not looked at.  A timed wait (HD_AUX_TIMED in aux)
 * without a token times out. */
enum hd_run hd_automaton_run(const struct hd_automaton *lock, const struct hd_automaton *queue,
                             const struct hd_event *e);

/* Does the event take the object from others until it gives it back (or for good,
 * as a semaphore's count and a token)? */
bool hd_event_acquires(const struct hd_event *e);

/* aux of the parts of a wait that may time out. */
#define HD_AUX_TIMED 1

#endif
