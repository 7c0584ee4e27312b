/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hbr.h - a hash of the happens-before relation of an execution prefix.  Two prefixes have the same hash
 * exactly if they consist of the same events and have every two conflicting events in the same order (up to
 * collisions of 128-bit hashes).  Threads are identified by their slots and objects by their ids, which denote
 * the same in every execution.  So prefixes with equal hashes lead to the same state and have the same
 * continuations.
 *
 * The lazy relation ignores the order of different threads' operations on a mutex.  That is sound as long as
 * threads only lock the mutex, unlock it as its owner and wait with it: then the set of these events determines
 * its owner, and the other conflicts determine the rest of the state.  It requires that every access to shared
 * data is an event.  If a mutex is used otherwise (trylock, timedlock, destroy, a lock that failed or whose
 * holder died), the order of its operations is not ignored.
 *
 * The hash is recomputed in each execution as events arrive; only the event hashes of the
 * replayed prefix are kept. */
#ifndef HD_SEARCH_CORE_HBR_H
#define HD_SEARCH_CORE_HBR_H

#include "base/arena.h"
#include "base/hash.h"
#include "model/execution.h"
#include "model/learnt.h"
#include "model/point.h"

#define HD_HBR_OBJECTS (1u << 20)

struct hd_hbr_object {
    uint64_t stamp;                /* index of the execution for which the other fields are valid */
    struct hd_hash128 write;       /* hash of the latest write */
    struct hd_hash128 since[2];    /* sums over the reads [0] and updates [1] since that write */
    hd_tid owner;                  /* owner of a mutex; HD_NO_TID if free */
};

struct hd_hbr {
    const struct hd_execution *exec;
    struct hd_hash128 sum;         /* hash of the relation */
    uint64_t stamp;                /* incremented with each execution */
    uint32_t nevents;              /* number of events hashed */
    bool lazy;
    bool busy;                     /* set while an event is added; if it is found set, a worker was killed there */
    bool cancels;                  /* a thread was cancelled; events do not describe everything that a cancellation
                                    * changes */
    bool discovered;               /* a mutex whose order was ignored turned out to need it */
    uint64_t first;                /* index of the first execution since the search (re)started */
    uint32_t keep;                 /* number of valid entries of `id`, which are the events of the replayed
                                    * prefix */
    struct hd_hash128 *id;         /* [2 * HD_MAX_STEPS]: the hash of each event */
    uint64_t *ordinary;            /* [HD_HBR_OBJECTS]: 1 + the index of the execution which found that the
                                    * order of the mutex's operations matters; 0: none did.  Takes effect when
                                    * the search starts again. */
    struct hd_learnt *learnt;      /* facts shared by several workers; NULL: there is one worker */
    struct hd_hbr_object *object;  /* [HD_HBR_OBJECTS] */
    struct hd_hash128 thread[HD_MAX_THREADS]; /* hash of each thread's latest event */
};

/* learnt: NULL unless several workers use the lazy relation. */
void hd_hbr_init(struct hd_hbr *h, struct hd_arena *arena, const struct hd_execution *exec,
                 bool lazy, struct hd_learnt *learnt);
/* Begins an execution whose first `keep` events are those of the previous one.  For `first` see struct hd_hbr. */
void hd_hbr_begin(struct hd_hbr *h, uint64_t first, uint32_t keep);
/* Adds the events that have happened since the last call. */
void hd_hbr_update(struct hd_hbr *h);

/* Returns the hash of a scheduling point: of the events so far, and of each thread's pending operation and
 * whether it is enabled.  In theory the events alone determine the state; hashing the rest distinguishes some
 * states that differ because of a data race. */
struct hd_hash128 hd_hbr_point(const struct hd_hbr *h, const struct hd_point *at);

#endif
