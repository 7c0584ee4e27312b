/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share.h - where the workers of one exhaustive search meet: a pool of tasks, each a
 * branch of the search that one worker explores alone, in memory that all of them
 * see at the same address.
 *
 * A worker that has nothing to do says so in `wanted`; one that has much looks at that
 * word once per execution and gives a branch away.  The search is over when no task is
 * queued and no worker has one.
 *
 * H1  Everything here but `wanted` and the verdict is read and written with the lock.
 * H2  A change of several words is a transaction: the writes are noted first, committed
 *     by one store, then done.  Whoever was killed while it had the lock has either
 *     committed nothing, or hd_share_recover does the writes (again).
 * H3  What a worker does here follows from its cursor and happens in begin, after the
 *     cursor was committed, in a way that can be repeated: a task ends once (its serial
 *     is compared), a worker that has one takes no other. */
#ifndef HD_SEARCH_CORE_SHARE_H
#define HD_SEARCH_CORE_SHARE_H

#include "search/core/strategy.h"

#define HD_SHARE_WORKERS 64
#define HD_SHARE_WRITES 16
#define HD_SHARE_CLASSES 40

struct hd_task {
    struct hd_task *next; /* in the queue or among the free ones */
    struct hd_task *prev; /* in the queue */
    uint64_t serial;      /* of this use of the record, from 1 */
    uint64_t class;       /* there is room for 64 << class bytes */
    uint64_t payload[];
};

struct hd_share {
    uint64_t lock;    /* worker + 1 */
    uint64_t wanted;  /* some worker has nothing to do */
    uint64_t verdict; /* 0 running; else HD_SHARE_OVER, and HD_SHARE_COMPLETE */
    uint64_t used, size;
    uint64_t started; /* the first task was queued */
    uint64_t serial;
    struct hd_task *first, *last; /* queue */
    struct hd_task *mine[HD_SHARE_WORKERS];
    struct hd_task *free[HD_SHARE_CLASSES];
    uint64_t armed, nwrites; /* of the transaction: committed, noted */
    struct {
        uint64_t *at;
        uint64_t value;
    } write[HD_SHARE_WRITES];
    /* The strategy's. */
    uint64_t flags;
    uint64_t bound;
    void *root;
    uint64_t gift[HD_SHARE_WORKERS]; /* the worker's execution + 1 before which it gave away last */
    void *made[HD_SHARE_WORKERS];    /* what it made for that */
    uint64_t given; /* how often something was given away */
    uint64_t changes; /* after which it may pay to look for a task again */
    int64_t held[HD_SHARE_WORKERS]; /* nodes taken from the pool of free ones and not put back */
};

enum hd_share_verdict { HD_SHARE_OVER = 1, HD_SHARE_COMPLETE = 2 };

/* What a strategy does with tasks; all with the lock.  Those that note writes do not
 * commit them. */
struct hd_share_user {
    /* There has never been a task: note the first one. */
    void (*start)(void *self, struct hd_share *sh);
    /* The worker is done with it: note what else is to be written with that. */
    void (*finish)(void *self, struct hd_share *sh, struct hd_task *t);
    /* Before a task is looked for. */
    void (*settle)(void *self, struct hd_share *sh);
    /* Which of the queued tasks to begin now: the oldest that fits, or the best; NULL none. */
    bool (*fits)(void *self, struct hd_share *sh, const struct hd_task *t);
    struct hd_task *(*best)(void *self, struct hd_share *sh);
    /* No task is left: note another, or the verdict. */
    void (*idle)(void *self, struct hd_share *sh);
};

/* The share of all workers; NULL when cfg knows of one worker only. */
struct hd_share *hd_share_open(const struct hd_strategy_cfg *cfg, const struct hd_share_user *user,
                               void *self);

/* The task that the worker goes on with: the one that it has, unless that is `finished`
 * (a serial; 0 none), else another.  NULL: there is none, see verdict. */
struct hd_task *hd_share_next(struct hd_share *sh, uint32_t worker, uint64_t finished,
                              const struct hd_share_user *user, void *self);

/* What begin returns when there is no task. */
static inline uint32_t hd_share_nothing(const struct hd_share *sh)
{
    return __atomic_load_n(&sh->verdict, __ATOMIC_ACQUIRE) != 0 ? HD_NOTHING_LEFT : HD_NOTHING_YET;
}

static inline bool hd_share_wanted(const struct hd_share *sh)
{
    return __atomic_load_n(&sh->wanted, __ATOMIC_RELAXED) != 0;
}

void hd_share_lock(struct hd_share *sh, uint32_t worker);
void hd_share_unlock(struct hd_share *sh);
bool hd_share_locked(const struct hd_share *sh, uint32_t worker);

/* Zeroed memory; what a killed worker had got is lost. */
void *hd_share_alloc(struct hd_share *sh, size_t n);
/* A record of its own with room for n bytes. */
struct hd_task *hd_share_task(struct hd_share *sh, size_t n);

/* Note one write of the transaction: a word, a pointer. */
void hd_share_write(struct hd_share *sh, void *at, uint64_t value);
static inline void hd_share_write_pointer(struct hd_share *sh, void *at, const void *value)
{
    hd_share_write(sh, at, (uint64_t)(uintptr_t)value);
}
/* Note that the task goes into the queue; one per transaction. */
void hd_share_queue(struct hd_share *sh, struct hd_task *t);
void hd_share_commit(struct hd_share *sh);

/* ---- for the processes around the search ------------------------------------------- */

/* Worker `worker` died: breaks its lock.  To be called by one process, when the worker
 * is dead and before its successor searches. */
void hd_share_recover(struct hd_arena *shared, uint32_t worker);

/* Is all explored?  And completely? */
bool hd_share_over(const struct hd_arena *shared);
bool hd_share_complete(const struct hd_arena *shared);

#endif
