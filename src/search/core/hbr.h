/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hbr.h - a hash of the happens-before relation of an execution so far: equal for
 * two prefixes iff they consist of the same events and every two conflicting ones
 * have the same order (but for collisions of 128 bits).  Threads are named by slot
 * and objects by id, which mean the same in every execution; so two equal prefixes
 * lead to the same state, and what can follow them is the same.
 *
 * The lazy relation leaves out the order of what different threads do to a mutex.
 * As long as a mutex is only locked and unlocked by its owner (waiting on a
 * condition included), who holds it follows from which of these events there were,
 * and all else from the other conflicts: the state is the same again.  That needs
 * every access to shared data as an event.  A mutex of which more was asked (trylock,
 * timedlock, destroy, a lock that failed, or whose holder had died) has its edges.
 *
 * Made anew in each execution, as its events come; only the hashes of the events of
 * its prefix are kept. */
#ifndef HD_SEARCH_CORE_HBR_H
#define HD_SEARCH_CORE_HBR_H

#include "base/arena.h"
#include "base/hash.h"
#include "model/execution.h"
#include "model/point.h"

#define HD_HBR_OBJECTS (1u << 20)

struct hd_hbr_object {
    uint64_t stamp;                /* of the execution that the rest belongs to */
    struct hd_hash128 write;       /* the latest event that writes it */
    struct hd_hash128 since[2];    /* all that read, that update it since then */
    hd_tid owner;                  /* of a mutex; HD_NO_TID none */
};

struct hd_hbr {
    const struct hd_execution *exec;
    struct hd_hash128 sum;         /* the hash of the relation */
    uint64_t stamp;                /* grows with each execution that is begun */
    uint32_t nevents;              /* so many are in it */
    bool lazy;
    bool busy;                     /* in the middle of an event: the worker was killed there */
    bool cancels;                  /* a thread was cancelled, which is not all in the events */
    bool discovered;               /* a mutex that was left out must not be */
    uint64_t first;                /* index of the first execution since the search (re)started */
    uint32_t keep;                 /* so many of id are those of this execution's prefix */
    struct hd_hash128 *id;         /* [2 * HD_MAX_STEPS]: the hash of each event */
    uint64_t *ordinary;            /* [HD_HBR_OBJECTS]: index + 1 of the execution that found
                                    * out; 0 not.  Counts from the next (re)start on. */
    struct hd_hbr_object *object;  /* [HD_HBR_OBJECTS] */
    struct hd_hash128 thread[HD_MAX_THREADS]; /* its latest event */
};

void hd_hbr_init(struct hd_hbr *h, struct hd_arena *arena, const struct hd_execution *exec,
                 bool lazy);
/* An execution begins, whose first `keep` events are those of the one before; first
 * as above. */
void hd_hbr_begin(struct hd_hbr *h, uint64_t first, uint32_t keep);
/* Take in the events that have happened since. */
void hd_hbr_update(struct hd_hbr *h);

/* The hash of a scheduling point: of what has happened, and of what each thread is
 * about to do and whether it can.  The latter follows from the former in theory; in
 * practice it tells some states apart that a data race has made different. */
struct hd_hash128 hd_hbr_point(const struct hd_hbr *h, const struct hd_point *at);

#endif
