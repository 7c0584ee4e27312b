/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - the current execution as partial-order reduction records it: for each decision
 * the step that was taken and the sleep set before it.  When the execution is over, its
 * trace is built from the path.
 *
 * P1  Frames before a changed decision are those of the previous execution, which took the
 *     same steps there.
 * P2  Frame k is complete when frame k + 1 is entered or the trace is built.  Until then
 *     its step conflicts with everything.
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
    uint32_t sleep;       /* range in hd_path.sleep */
    uint32_t nsleep;
};

/* The parameter `oldest` of the reductions. */
#define HD_OLDEST_HELP "1: where any thread may run next, the oldest does, not the one that ran last (0)"

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

/* Begin another execution. */
void hd_path_begin(struct hd_path *p);

/* End the path here.  The rest of the execution still runs, since it may fail, but the
 * reduction ignores it.  Returns the thread to run. */
hd_tid hd_path_run_on(struct hd_path *p, const struct hd_point *at);

static inline bool hd_path_is_over(const struct hd_path *p)
{
    return p->end != UINT32_MAX;
}

/* Length of the path; pending operation of a thread, and number of threads, at its end. */
uint32_t hd_path_length(const struct hd_path *p);
const struct hd_event *hd_path_pending(const struct hd_path *p, hd_tid tid);
uint32_t hd_path_threads(const struct hd_path *p);

/* Did the limit of steps end the path? */
bool hd_path_is_stopped(const struct hd_path *p);

/* Decision k is due: complete frame k - 1 and begin frame k with an empty sleep set. */
void hd_path_enter(struct hd_path *p, uint32_t k);

/* Add step s of another thread to the sleep set of frame k, unless the previous step wakes
 * it. */
void hd_path_put_to_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* All executions after the step of frame k are explored: add it to the frame's sleep set. */
void hd_path_step_done(struct hd_path *p, uint32_t k);
/* Add s, which was explored there instead. */
void hd_path_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* Inherit the sleep set of frame k - 1, without the steps that its step wakes. */
void hd_path_inherit_sleep(struct hd_path *p, uint32_t k);

/* The thread with that slot, or HD_NO_TID. */
hd_tid hd_path_find_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads);

static inline hd_tid hd_path_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads)
{
    if (slot < nthreads && p->exec->threads[slot].slot == slot) /* the usual case */
        return slot;
    return hd_path_find_tid(p, slot, nthreads);
}

/* Is the thread's next step in the sleep set of frame k? */
bool hd_path_asleep(const struct hd_path *p, uint32_t k, uint16_t slot);

/* A thread whose operation is to be tried (hd_point.untried), the last thread if it may continue, otherwise the next one in creation order; yielded
 * threads come last.  HD_NO_TID if all enabled threads sleep. */
hd_tid hd_path_free_choice(const struct hd_path *p, const struct hd_point *at);

/* Build the trace of the first nsteps steps; the first `keep` steps are those of the
 * previous execution.  False if the execution is too long. */
bool hd_path_trace(struct hd_path *p, uint32_t nsteps, uint32_t keep);

#endif
