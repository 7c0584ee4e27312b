/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lockorder.h - deadlocks that an execution has survived: threads that took locks in
 * an order in which they could have met in the middle.
 *
 * L1  A cycle is of different threads, each of which waits for a lock that the next one
 *     holds.  What cannot be waited for for ever (trylock, time-outs) counts as held,
 *     never as wanted.
 * L2  No two of them hold a lock in common (a gate), unless both only read.
 * L3  They can get there together: what each of them had done and seen until then does
 *     not need the step of another one that it must still stand before.  A thread has
 *     seen what came before it by creation, join, semaphores, conditions, atomics,
 *     barriers, and by critical sections of any lock that it has entered, with one
 *     exception: the sections that it is in when it waits.  Without the exception there
 *     would be no cycle at all; with it, what a thread reads inside these sections may
 *     still forbid the deadlock.  So what is found is a warning, which a complete
 *     search refutes or proves. */
#ifndef HD_DETECT_LOCKORDER_H
#define HD_DETECT_LOCKORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/set.h"
#include "model/lock.h"

#define HD_LOCK_HELD 8       /* by a thread at the same time; more are not looked at */
#define HD_LOCK_REQUESTS 256 /* made while holding a lock, in an execution */
#define HD_LOCK_OBJECTS (1u << 20)

struct hd_lock_held {
    uint32_t obj;
    uint32_t at; /* number of the event that took it */
    uint64_t pc;
    bool shared;
};

struct hd_lock_request {
    struct hd_lock_held wanted; /* which it got, at that event */
    hd_tid tid;
    uint16_t nheld;
    struct hd_lock_held held[HD_LOCK_HELD];
};

/* Room for one look; nothing has to be set up. */
struct hd_lock_order {
    uint16_t nheld[HD_MAX_THREADS];
    struct hd_lock_held held[HD_MAX_THREADS][HD_LOCK_HELD];
    uint32_t nrequests;
    struct hd_lock_request request[HD_LOCK_REQUESTS];
    uint32_t need[HD_MAX_THREADS];         /* events before that number must have happened */
    uint64_t taken[HD_LOCK_OBJECTS / 64];  /* objects from which one of them has learnt */
    const struct hd_event *events;
    uint32_t nevents;
    uint32_t nobjects; /* words of taken in use */
    uint32_t budget;
    uint32_t ruled_out;
};

typedef void hd_lock_cycle_fn(void *ctx, const struct hd_lock_step *steps, unsigned n);

/* Tell every cycle among the events of an execution, beginning with its first thread in
 * the order of requests.  Returns how many there are that only L3 forbids: in another
 * execution it may not. */
unsigned hd_lock_order_look(struct hd_lock_order *w, const struct hd_event *events,
                            uint32_t nevents, hd_lock_cycle_fn *tell, void *ctx);

#endif
