/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share.h - the task pool of an exhaustive search with several workers.  A task is a branch of the search that
 * one worker explores alone.  The pool is in memory that all workers map at the same address.
 *
 * A worker without work sets `wanted`.  Each busy worker reads that word once per execution
 * and, if it is set, gives a branch away.  The search is over when no task is queued and no
 * worker has one.
 *
 * H1  Everything here except `wanted` and the verdict is accessed with the lock held.
 * H2  A change of several words is a transaction: the worker lists the writes, commits them
 *     by one store and then performs them.  If a worker is killed while it holds the lock,
 *     either it committed nothing, or hd_share_recover performs the writes (again).
 * H3  A worker changes the pool only in `begin`, after its cursor has been committed.  The cursor determines
 *     the change, which may be repeated: a task is ended only once, because its serial is compared, and a
 *     worker that has a task takes no other.
 * H4  Several machines (store/store.h) search parts of one space.  The tool fills the pool with its part before the workers
 *     start.  To end before the part is explored, it sets `closing`: every worker gives all of its task away, branch by
 *     branch, and takes no other.  When no worker has a task, the queue is what remains. */
#ifndef HD_SEARCH_CORE_SHARE_H
#define HD_SEARCH_CORE_SHARE_H

#include "search/core/strategy.h"

#define HD_SHARE_WORKERS 64
#define HD_SHARE_WRITES 16
#define HD_SHARE_CLASSES 40

struct hd_task {
    struct hd_task *next; /* next task in the queue or in the free list */
    struct hd_task *prev; /* previous task in the queue */
    uint64_t serial;      /* counts the uses of this record, from 1 */
    uint64_t class;       /* the payload has room for 64 << class bytes */
    uint64_t payload[];
};

struct hd_share {
    uint64_t lock;    /* 1 + the number of the worker that holds it; 0: free */
    uint64_t wanted;  /* some worker has no work */
    uint64_t leased;  /* the tool has made the first tasks, which are a part of a search (H4) */
    uint64_t closing; /* H4: workers give all their work away and take none */
    uint64_t verdict; /* 0: the search runs; otherwise HD_SHARE_OVER, with HD_SHARE_COMPLETE if it is complete */
    uint64_t used, size;
    uint64_t started; /* the first task was queued */
    uint64_t serial;
    struct hd_task *first, *last; /* the queue */
    struct hd_task *mine[HD_SHARE_WORKERS];
    struct hd_task *free[HD_SHARE_CLASSES];
    uint64_t armed, nwrites; /* number of committed and of listed writes of the transaction */
    struct {
        uint64_t *at;
        uint64_t value;
    } write[HD_SHARE_WRITES];
    /* Used by the strategy: */
    uint64_t flags;
    uint64_t bound;
    void *root;
    uint64_t gift[HD_SHARE_WORKERS]; /* 1 + the index of the execution before which the worker last gave a task
                                      * away */
    void *made[HD_SHARE_WORKERS];    /* memory that the worker allocated for that task */
    uint64_t given; /* number of tasks given away */
    uint64_t changes; /* incremented when a waiting worker should look for a task again */
    uint64_t explored; /* estimated part of the search that is explored, from 0 to 1, as the bits of a double; 0: it
                        * is the sum of `part` */
    uint64_t part[HD_SHARE_WORKERS]; /* the part that each worker has explored.  Both are accessed without the lock:
                                      * nothing depends on them */
    int64_t held[HD_SHARE_WORKERS]; /* for each worker, nodes that it has taken from the pool of free nodes and
                                     * not returned */
};

static inline void hd_share_put(uint64_t *at, double value)
{
    uint64_t bits;

    __builtin_memcpy(&bits, &value, sizeof bits);
    __atomic_store_n(at, bits, __ATOMIC_RELAXED);
}

static inline double hd_share_get(const uint64_t *at)
{
    uint64_t bits = __atomic_load_n(at, __ATOMIC_RELAXED);
    double value;

    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

enum hd_share_verdict { HD_SHARE_OVER = 1, HD_SHARE_COMPLETE = 2 };

/* A strategy's callbacks.  All run with the lock held.  Callbacks that list writes do not
 * commit them. */
struct hd_share_user {
    /* Called if no task has ever existed: lists the writes that create the first one. */
    void (*start)(void *self, struct hd_share *sh);
    /* Called when the worker has finished task t: lists the writes with which the task ends. */
    void (*finish)(void *self, struct hd_share *sh, struct hd_task *t);
    /* Called before the worker looks for a task. */
    void (*settle)(void *self, struct hd_share *sh);
    /* Select the queued task to start: either the oldest one for which `fits` returns true, or the one that
     * `best` returns (NULL: none). */
    bool (*fits)(void *self, struct hd_share *sh, const struct hd_task *t);
    struct hd_task *(*best)(void *self, struct hd_share *sh);
    /* Called when no task is left: creates another one or sets the verdict. */
    void (*idle)(void *self, struct hd_share *sh);
};

/* Makes the pool for a part of a search, in memory that is zero.  The caller gets the lock. */
struct hd_share *hd_share_lease(struct hd_arena *shared, uint32_t worker);
/* Returns the pool of a part of a search, or NULL if it is none. */
struct hd_share *hd_share_leased(const struct hd_arena *shared);

/* Returns the pool of all workers, or NULL if cfg names only one worker. */
struct hd_share *hd_share_open(const struct hd_strategy_cfg *cfg, const struct hd_share_user *user,
                               void *self);

/* Returns the worker's task: its current one or, if the serial of that one is `finished`, another one.
 * `finished` is 0 if no task has been finished.  Returns NULL if there is no task; see verdict. */
struct hd_task *hd_share_next(struct hd_share *sh, uint32_t worker, uint64_t finished,
                              const struct hd_share_user *user, void *self);

/* Returns the value that the strategy's begin returns when there is no task. */
static inline uint32_t hd_share_nothing(const struct hd_share *sh)
{
    return __atomic_load_n(&sh->verdict, __ATOMIC_ACQUIRE) != 0 ? HD_NOTHING_LEFT : HD_NOTHING_YET;
}

static inline bool hd_share_wanted(const struct hd_share *sh)
{
    return (__atomic_load_n(&sh->wanted, __ATOMIC_RELAXED) | __atomic_load_n(&sh->closing, __ATOMIC_RELAXED)) != 0;
}

void hd_share_lock(struct hd_share *sh, uint32_t worker);
void hd_share_unlock(struct hd_share *sh);
bool hd_share_locked(const struct hd_share *sh, uint32_t worker);

/* Returns zeroed memory.  Memory allocated by a worker that is killed is lost. */
void *hd_share_alloc(struct hd_share *sh, size_t n);
/* Returns a task record with room for n bytes of payload. */
struct hd_task *hd_share_task(struct hd_share *sh, size_t n);

/* Lists one write of the transaction: a word or a pointer. */
void hd_share_write(struct hd_share *sh, void *at, uint64_t value);
static inline void hd_share_write_pointer(struct hd_share *sh, void *at, const void *value)
{
    hd_share_write(sh, at, (uint64_t)(uintptr_t)value);
}
/* Lists the writes that queue the task.  At most once per transaction. */
void hd_share_queue(struct hd_share *sh, struct hd_task *t);
void hd_share_commit(struct hd_share *sh);

/* ---- for other processes than workers ---- */

/* Releases the lock of a dead worker.  One process calls it, after the worker's death and before its successor
 * starts to search. */
void hd_share_recover(struct hd_arena *shared, uint32_t worker);

/* True if no worker has a task (H4). */
bool hd_share_is_idle(const struct hd_share *sh);

/* hd_share_over returns true if the search is over, hd_share_complete if it was complete. */
bool hd_share_over(const struct hd_arena *shared);
bool hd_share_complete(const struct hd_arena *shared);

/* Returns the part of the search that is explored, from 0 to 1; 0 also if it is not known. */
double hd_share_explored(const struct hd_arena *shared);

#endif
