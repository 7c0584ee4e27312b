/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lockorder.h - finds deadlocks that an execution avoided only by chance: threads took locks in orders in which
 * they could have blocked each other.
 *
 * L1  In a cycle of different threads, each waits for a lock that the next one holds.  A lock that was taken by
 *     an operation which does not wait for ever (trylock, timed lock) counts as held, never as wanted.
 * L2  No two of the threads hold a common lock (a gate lock), unless both hold it as readers.
 * L3  The threads can reach that state together.  So no thread may depend on a step that another thread of the
 *     cycle makes only after it has left its place in the cycle.  A thread depends on what happened before it by
 *     creation, join, semaphores, conditions, atomics and barriers, and on the earlier critical sections of every
 *     lock that it has taken.  The only exception are the critical sections in which the thread is when it waits:
 *     without the exception there would be no cycle at all.  Because of it, values read inside
 *     these sections may still make the deadlock impossible.  So the result is a warning, which a complete
 *     search refutes or confirms. */
#ifndef HD_DETECT_LOCKORDER_H
#define HD_DETECT_LOCKORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "base/set.h"
#include "model/lock.h"

#define HD_LOCK_HELD HD_LIMIT(8, 3)       /* maximum number of locks held by a thread; further ones are ignored */
#define HD_LOCK_REQUESTS 256 /* maximum number of requests in an execution */
#define HD_LOCK_OBJECTS (1u << 20)

struct hd_lock_held {
    uint32_t obj;
    uint32_t at; /* number of the event that took it */
    uint64_t pc;
    bool shared;
};

struct hd_lock_request {
    struct hd_lock_held wanted; /* wanted.at: the event in which the thread got the lock */
    hd_tid tid;
    uint16_t nheld;
    struct hd_lock_held held[HD_LOCK_HELD];
};

typedef void hd_lock_cycle_fn(void *ctx, const struct hd_lock_step *steps, unsigned n);

/* Work space of one analysis; needs no initialisation. */
struct hd_lock_order {
    uint16_t nheld[HD_MAX_THREADS];
    struct hd_lock_held held[HD_MAX_THREADS][HD_LOCK_HELD];
    uint32_t nrequests;
    struct hd_lock_request request[HD_LOCK_REQUESTS];
    uint32_t need[HD_MAX_THREADS];         /* for each thread, the events before this number must have happened */
    uint64_t taken[HD_LOCK_OBJECTS / 64];  /* objects on which one of these events depends */
    const struct hd_event *events;
    uint32_t nevents;
    uint32_t nobjects; /* number of words of `taken` in use */
    uint32_t budget;
    uint32_t ruled_out;
    bool kept[HD_LOCK_REQUESTS]; /* the request may be in a cycle */
    struct hd_lock_request *cycle[HD_MAX_THREADS]; /* the path that is being extended */
    struct hd_lock_step step[HD_MAX_THREADS];
    hd_lock_cycle_fn *tell;
    void *ctx;
};

/* Calls `tell` for every cycle among the events of an execution, beginning with the thread that made the first
 * request.  Returns the number of cycles that only L3 excludes: another execution may allow them. */
unsigned hd_lock_order_look(struct hd_lock_order *w, const struct hd_event *events,
                            uint32_t nevents, hd_lock_cycle_fn *tell, void *ctx);

#endif
