/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames_share.h - sets of threads to be run, kept per decision (backtrack.h, bpor.h),
 * of which several workers work off the branches.
 *
 * As long as a worker has frames for itself they are its strategy's.  When it gives
 * something away, the frames down to there become common: their threads become nodes of
 * a common tree (wakeup_share.h), first those that are done, then the one on the path,
 * and behind it those that are left, each a task.  What is to be run later at a common
 * frame is added to the tree, under the lock.
 *
 * F1  The first execution of a task replays nothing but follows the nodes before `floor`,
 *     so that all frames are made by the process that needs them.
 * F2  What a frame's own sets say of a common one was true once: threads are only ever
 *     added to the tree.  So they are asked first, and the tree is told first. */
#ifndef HD_SEARCH_POR_FRAMES_SHARE_H
#define HD_SEARCH_POR_FRAMES_SHARE_H

#include "search/core/strategy.h"
#include "search/por/wakeup_share.h"

struct hd_frames_share {
    struct hd_wakeup_pool pool;
    struct hd_wakeup_share ws;
    struct hd_wakeup **node; /* [HD_TRACE_STEPS]: of the common frames */
    const struct hd_execution *exec;
    uint64_t task;           /* serial of the task in hand */
    uint32_t floor;          /* frames before this one are common; 0: alone */
};

/* A frame, as its strategy keeps it. */
struct hd_frame_view {
    const struct hd_set *wanted, *done; /* threads; unused for a choice */
    const struct hd_step *taken;        /* what the chosen thread did; NULL: not known yet */
    const struct hd_step *sleep;        /* what sleeps there: also what was done, if steps sleep */
    uint32_t nsleep;
    uint16_t chosen;                    /* thread or alternative */
    uint16_t alternatives;              /* 0: a thread is chosen here */
    uint16_t slot;                      /* of a choice: whose it is */
};

/* Frame k of the strategy self. */
typedef struct hd_frame_view hd_frame_viewer(const void *self, uint32_t k);

/* How the search ends is the business of the strategy: see hd_wakeup_share. */
void hd_frames_open(struct hd_frames_share *fs, const struct hd_strategy_cfg *cfg);

static inline bool hd_frames_are_shared(const struct hd_frames_share *fs)
{
    return fs->ws.share != NULL;
}

/* Another task, when the one of that serial is finished with these flags; NULL: there is
 * none now. */
struct hd_task *hd_frames_take(struct hd_frames_share *fs, uint64_t finished, uint64_t flags);

/* The step that is to be taken at the common frame k. */
static inline const struct hd_step *hd_frames_step(const struct hd_frames_share *fs, uint32_t k)
{
    return &fs->node[k]->step;
}

/* The thread with that slot, or HD_NO_TID. */
hd_tid hd_frames_tid(const struct hd_frames_share *fs, uint16_t slot, uint32_t nthreads);

/* The thread to be run at a common frame; HD_NO_TID when it cannot. */
hd_tid hd_frames_follow(const struct hd_frames_share *fs, const struct hd_point *at);

/* With the lock: the first node of the common frame k; those before node[k] are done, or
 * being worked on by others, and sleep. */
static inline const struct hd_wakeup *hd_frames_first(const struct hd_frames_share *fs, uint32_t k)
{
    return fs->node[k]->parent->child;
}

void hd_frames_lock(struct hd_frames_share *fs);
void hd_frames_unlock(struct hd_frames_share *fs);

/* With the lock: the thread in that slot is to be run at the common frame k. */
void hd_frames_want(struct hd_frames_share *fs, uint32_t k, uint16_t slot);

/* An execution went through all common frames: what their steps do is told. */
void hd_frames_learn(struct hd_frames_share *fs, const struct hd_trace *trace);

/* The frame nearest to the root at which something is left when the execution that leaves
 * the last one at frame top, with `chosen`, has begun, + 1; 0 none or nobody asks. */
uint32_t hd_frames_to_give(const struct hd_frames_share *fs, uint32_t top, uint16_t chosen,
                           hd_frame_viewer *view, const void *self);
/* Give away what is left at frame k, before execution `index`.  Can be repeated. */
void hd_frames_give(struct hd_frames_share *fs, uint32_t k, uint64_t index, hd_frame_viewer *view,
                    const void *self);

#endif
