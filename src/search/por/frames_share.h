/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames_share.h - backtrack sets per decision (backtrack.h, bpor.h), with branches that
 * several workers explore.
 *
 * While only one worker uses a frame, it belongs to the worker's strategy.  When the worker
 * gives work away, the frames down to that point become common: their threads become nodes
 * of a shared tree (wakeup_share.h), first the explored ones, then the one on the path,
 * then the remaining ones, each a task.  Threads added later to a common frame are added to
 * the tree with the lock held.
 *
 * F1  The first execution of a task replays nothing.  It follows the nodes before `floor`,
 *     so that the process that needs the frames creates them.
 * F2  A frame's own sets may be out of date for a common frame, but they were true once,
 *     since threads are only added to the tree.  So they are checked first, and additions
 *     go to the tree first. */
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

/* A frame of the strategy. */
struct hd_frame_view {
    const struct hd_set *wanted, *done; /* threads; unused for a choice */
    const struct hd_step *taken;        /* the step of the chosen thread; NULL: not known yet */
    const struct hd_step *sleep;        /* sleep set; includes explored steps if the strategy uses
                                         * sleep sets */
    uint32_t nsleep;
    uint16_t chosen;                    /* thread or alternative */
    uint16_t alternatives;              /* 0: a thread is chosen here */
    uint16_t slot;                      /* of a choice: slot of its thread */
};

/* Returns frame k of the strategy self. */
typedef struct hd_frame_view hd_frame_viewer(const void *self, uint32_t k);

/* The strategy sets how the search ends: see hd_wakeup_share. */
void hd_frames_open(struct hd_frames_share *fs, const struct hd_strategy_cfg *cfg);

static inline bool hd_frames_are_shared(const struct hd_frames_share *fs)
{
    return fs->ws.share != NULL;
}

/* Returns another task after the one with serial `finished` ended with these flags; NULL if
 * there is none now. */
struct hd_task *hd_frames_take(struct hd_frames_share *fs, uint64_t finished, uint64_t flags);

/* The step to take at the common frame k. */
static inline const struct hd_step *hd_frames_step(const struct hd_frames_share *fs, uint32_t k)
{
    return &fs->node[k]->step;
}

/* The thread with that slot, or HD_NO_TID. */
hd_tid hd_frames_tid(const struct hd_frames_share *fs, uint16_t slot, uint32_t nthreads);

/* The thread to run at a common frame; HD_NO_TID if it is not enabled. */
hd_tid hd_frames_follow(const struct hd_frames_share *fs, const struct hd_point *at);

/* True if the thread is disabled because its operation would only begin another round. */
bool hd_frames_goes_round(const struct hd_frames_share *fs, const struct hd_point *at);

/* The first node of the common frame k.  The nodes before node[k] are explored, or other
 * workers explore them; they sleep.  The caller holds the lock. */
static inline const struct hd_wakeup *hd_frames_first(const struct hd_frames_share *fs, uint32_t k)
{
    return fs->node[k]->parent->child;
}

void hd_frames_lock(struct hd_frames_share *fs);
void hd_frames_unlock(struct hd_frames_share *fs);

/* Add the thread in that slot to the common frame k.  The caller holds the lock. */
void hd_frames_want(struct hd_frames_share *fs, uint32_t k, uint16_t slot);

/* An execution went through all common frames: publish what their steps did. */
void hd_frames_learn(struct hd_frames_share *fs, const struct hd_trace *trace);

/* Index + 1 of the frame nearest to the root that has work left once the execution that
 * leaves the last one at frame `top` with `chosen` has begun; 0 if there is none or no
 * worker wants work. */
uint32_t hd_frames_to_give(const struct hd_frames_share *fs, uint32_t top, uint16_t chosen,
                           hd_frame_viewer *view, const void *self);
/* Give away the remaining work of frame k, before execution `index`.  May be repeated. */
void hd_frames_give(struct hd_frames_share *fs, uint32_t k, uint64_t index, hd_frame_viewer *view,
                    const void *self);

#endif
