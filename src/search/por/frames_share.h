/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames_share.h - lets several workers explore the branches of strategies with backtrack sets (backtrack.h,
 * bpor.h).
 *
 * While only one worker uses a frame, the frame belongs to the worker's strategy.  When the worker gives work
 * away, the frames down to that point become common: for each of their threads, the shared tree
 * (wakeup_share.h) gets a node.  First come the explored threads, then the one on the path, then the remaining
 * ones, each of which becomes a task.  Threads that must run at a common frame and are found later are added to
 * the tree with the lock held.
 *
 * F1  The first execution of a task does not replay decisions, but follows the tree's nodes before `floor`.  So
 *     the process that needs the frames creates them itself.
 * F2  The worker's own sets of a common frame may lack threads that others have added to the tree, but they
 *     contain nothing wrong, because threads are never removed from the tree.  So a thread that is in these
 *     sets need not be looked up in the tree, and a new one is added to the tree before it is added to the
 *     sets. */
#ifndef HD_SEARCH_POR_FRAMES_SHARE_H
#define HD_SEARCH_POR_FRAMES_SHARE_H

#include "search/core/strategy.h"
#include "search/por/wakeup_share.h"

struct hd_frames_share {
    struct hd_wakeup_pool pool;
    struct hd_wakeup_share ws;
    struct hd_wakeup **node; /* [HD_TRACE_STEPS]: nodes of the common frames */
    const struct hd_execution *exec;
    uint64_t task;           /* serial of the current task */
    uint32_t floor;          /* frames before this one are common; 0: none */
};

/* A frame of the strategy, as this file sees it. */
struct hd_frame_view {
    const struct hd_set *wanted, *done; /* sets of threads; unused for a choice */
    const struct hd_step *taken;        /* the step of the chosen thread; NULL: not known yet */
    const struct hd_step *sleep;        /* the sleep set; if the strategy uses sleep sets, it includes the
                                         * explored steps */
    uint32_t nsleep;
    uint16_t chosen;                    /* thread or alternative */
    uint16_t alternatives;              /* 0: a thread is chosen here; n: a choice of n alternatives */
    uint16_t slot;                      /* for a choice: the slot of its thread */
};

/* Returns frame k of the strategy self. */
typedef struct hd_frame_view hd_frame_viewer(const void *self, uint32_t k);

/* Opens the share.  The strategy then sets those fields of hd_wakeup_share that say when the search is
 * complete. */
void hd_frames_open(struct hd_frames_share *fs, const struct hd_strategy_cfg *cfg);

static inline bool hd_frames_are_shared(const struct hd_frames_share *fs)
{
    return fs->ws.share != NULL;
}

/* Returns another task; NULL if there is none at the moment. `finished` is the serial of the task that has just
 * ended, and `flags` are its flags. */
struct hd_task *hd_frames_take(struct hd_frames_share *fs, uint64_t finished, uint64_t flags);

/* Returns the step to take at the common frame k. */
static inline const struct hd_step *hd_frames_step(const struct hd_frames_share *fs, uint32_t k)
{
    return &fs->node[k]->step;
}

/* Returns the thread with that slot, or HD_NO_TID. */
hd_tid hd_frames_tid(const struct hd_frames_share *fs, uint16_t slot, uint32_t nthreads);

/* Returns the thread to run at a common frame; HD_NO_TID if it is not enabled. */
hd_tid hd_frames_follow(const struct hd_frames_share *fs, const struct hd_point *at);

/* True if the thread to run is disabled because its operation would only begin another round of a waiting loop. */
bool hd_frames_goes_round(const struct hd_frames_share *fs, const struct hd_point *at);

/* Returns the first node of the common frame k.  The nodes before node[k] have been explored, or other workers
 * explore them, so their steps sleep.  The caller holds the lock. */
static inline const struct hd_wakeup *hd_frames_first(const struct hd_frames_share *fs, uint32_t k)
{
    return fs->node[k]->parent->child;
}

void hd_frames_lock(struct hd_frames_share *fs);
void hd_frames_unlock(struct hd_frames_share *fs);

/* Adds the thread with that slot to the common frame k.  The caller holds the lock. */
void hd_frames_want(struct hd_frames_share *fs, uint32_t k, uint16_t slot);

/* Call when an execution has gone through all common frames: publishes the accesses of their steps. */
void hd_frames_learn(struct hd_frames_share *fs, const struct hd_trace *trace);

/* Returns 1 + the index of the frame nearest to the root that will have work to give away when the next
 * execution, which takes `chosen` at frame `top`, has begun.  Returns 0 if there is none, or if no worker needs
 * work. */
uint32_t hd_frames_to_give(const struct hd_frames_share *fs, uint32_t top, uint16_t chosen,
                           hd_frame_viewer *view, const void *self);
/* Gives away the remaining work of frame k, before execution `index` begins.  May be repeated. */
void hd_frames_give(struct hd_frames_share *fs, uint32_t k, uint64_t index, hd_frame_viewer *view,
                    const void *self);

#endif
