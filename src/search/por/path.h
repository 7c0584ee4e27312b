/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - the current execution as partial-order reduction records it: for each decision
 * the step that was taken and the sleep set before it.  When the execution is over, its
 * trace is built from the path.
 *
 * P1  Each execution changes one decision of the previous one.  The frames before that decision stay as they
 *     are, since the steps there are the same.
 * P2  Frame k is complete when frame k + 1 is entered or the trace is built.  Until then its step counts as
 *     conflicting with everything.
 * P3  A sleeping step is stored completely before nsleep counts it.  Otherwise a worker
 *     that is killed in between would leave a bogus step asleep for ever. */
#ifndef HD_SEARCH_POR_PATH_H
#define HD_SEARCH_POR_PATH_H

#include "model/point.h"
#include "search/por/trace.h"

#define HD_PATH_SLEEP (1u << 20)

struct hd_path_frame {
    _Alignas(8) struct hd_step step; /* aligned so that no word straddles two cache lines */
    uint32_t first_event; /* first event of the step that was decided here */
    uint32_t sleep;       /* the sleep set: nsleep entries of hd_path.sleep, from this index on */
    uint32_t nsleep;
};

/* Help text of the parameter `oldest`, which several reductions have. */
#define HD_OLDEST_HELP "1: if any thread may run next, prefer the oldest one to the one that ran last (0)"

struct hd_path {
    const struct hd_execution *exec;
    bool oldest; /* a free choice prefers the oldest thread */
    struct hd_path_frame *frame; /* [HD_MAX_STEPS] */
    struct hd_step *sleep;       /* [HD_PATH_SLEEP] */
    struct hd_trace trace;
    uint32_t end;                /* decision at which the path ends; UINT32_MAX: not ended */
    uint32_t nwaiting;
    struct hd_event waiting[HD_MAX_THREADS]; /* pending operations at that end */
};

void hd_path_init(struct hd_path *p, const struct hd_execution *exec, struct hd_arena *arena);

/* Begins another execution. */
void hd_path_begin(struct hd_path *p);

/* Ends the path at this decision.  The rest of the execution still runs, because it may fail, but the reduction
 * ignores it.  Returns the thread to run. */
hd_tid hd_path_run_on(struct hd_path *p, const struct hd_point *at);

static inline bool hd_path_is_over(const struct hd_path *p)
{
    return p->end != UINT32_MAX;
}

/* Return the length of the path and, at its end, the pending operation of a thread and the number of threads. */
uint32_t hd_path_length(const struct hd_path *p);
const struct hd_event *hd_path_pending(const struct hd_path *p, hd_tid tid);
uint32_t hd_path_threads(const struct hd_path *p);

/* True if the limit on the number of steps ended the path. */
bool hd_path_is_stopped(const struct hd_path *p);

/* Call when decision k is due: completes frame k - 1 and begins frame k with an empty sleep set. */
void hd_path_enter(struct hd_path *p, uint32_t k);

/* Adds step s of another thread to the sleep set of frame k, unless the previous step conflicts with it and so
 * wakes it. */
void hd_path_put_to_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* Call when all executions after the step of frame k have been explored: adds the step to the frame's sleep
 * set. */
void hd_path_step_done(struct hd_path *p, uint32_t k);
/* Adds s, another step that was explored at frame k, to its sleep set. */
void hd_path_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* Copies the sleep set of frame k - 1 to frame k, without the steps that step k - 1 wakes. */
void hd_path_inherit_sleep(struct hd_path *p, uint32_t k);

/* Returns the thread with that slot, or HD_NO_TID. */
hd_tid hd_path_find_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads);

static inline hd_tid hd_path_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads)
{
    if (slot < nthreads && p->exec->threads[slot].slot == slot) /* the usual case */
        return slot;
    return hd_path_find_tid(p, slot, nthreads);
}

/* True if the thread's next step is in the sleep set of frame k. */
bool hd_path_asleep(const struct hd_path *p, uint32_t k, uint16_t slot);

/* Chooses where the search is free to: a thread whose operation has an unknown outcome (hd_point.untried);
 * otherwise the last thread if it may continue; otherwise the next one in creation order.  Threads that have
 * yielded come last.  Returns HD_NO_TID if all enabled threads sleep. */
hd_tid hd_path_free_choice(const struct hd_path *p, const struct hd_point *at);

/* Builds the trace of the first nsteps steps, of which the first `keep` are those of the previous execution.
 * Returns false if the execution is too long. */
bool hd_path_trace(struct hd_path *p, uint32_t nsteps, uint32_t keep);

#endif
