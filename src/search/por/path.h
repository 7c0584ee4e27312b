/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - the execution that runs, as partial-order reduction keeps it while it
 * goes on: for each decision the step that was taken and what sleeps before it.
 * When it is over, its trace is made from this.
 *
 * P1  Frames before a changed decision are those of the execution before, which took
 *     the same steps there.
 * P2  Frame k is complete when frame k + 1 is entered, or when the trace is made.
 *     Until then its step is one that conflicts with everything.
 * P3  A sleeping step is whole before it counts: a worker that is killed in between leaves
 *     none that nobody has put there, which would sleep for good. */
#ifndef HD_SEARCH_POR_PATH_H
#define HD_SEARCH_POR_PATH_H

#include "model/point.h"
#include "search/por/trace.h"

#define HD_PATH_SLEEP (1u << 20)

struct hd_path_frame {
    _Alignas(8) struct hd_step step; /* whose words then never lie in two cache lines */
    uint32_t first_event; /* of the step that was decided here */
    uint32_t sleep;       /* range in hd_path.sleep */
    uint32_t nsleep;
};

struct hd_path {
    const struct hd_execution *exec;
    struct hd_path_frame *frame; /* [HD_MAX_STEPS] */
    struct hd_step *sleep;       /* [HD_PATH_SLEEP] */
    struct hd_trace trace;
    uint32_t end;                /* decision from which on nothing is learnt; UINT32_MAX none */
    uint32_t nwaiting;
    struct hd_event waiting[HD_MAX_THREADS]; /* what was pending at that end */
};

void hd_path_init(struct hd_path *p, const struct hd_execution *exec, struct hd_arena *arena);

/* Another execution. */
void hd_path_begin(struct hd_path *p);

/* The rest of the execution is run, since it may fail, but nothing is learnt of it: the
 * path ends here.  Returns whom to run. */
hd_tid hd_path_run_on(struct hd_path *p, const struct hd_point *at);

static inline bool hd_path_is_over(const struct hd_path *p)
{
    return p->end != UINT32_MAX;
}

/* Steps of the path; what its threads waited for at its end. */
uint32_t hd_path_length(const struct hd_path *p);
const struct hd_event *hd_path_pending(const struct hd_path *p, hd_tid tid);
uint32_t hd_path_threads(const struct hd_path *p);

/* The decision k is due: frame k - 1 is complete, frame k begins, nothing sleeps yet. */
void hd_path_enter(struct hd_path *p, uint32_t k);

/* Step s, of another thread, sleeps at frame k, unless the step before woke it. */
void hd_path_put_to_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* The step that was taken at frame k is done: it sleeps there from now on. */
void hd_path_step_done(struct hd_path *p, uint32_t k);
/* So does s, which was done there instead. */
void hd_path_sleep(struct hd_path *p, uint32_t k, const struct hd_step *s);
/* All that sleeps at frame k - 1 and was not woken by its step. */
void hd_path_inherit_sleep(struct hd_path *p, uint32_t k);

/* The thread with that slot, or HD_NO_TID. */
hd_tid hd_path_find_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads);

static inline hd_tid hd_path_tid(const struct hd_path *p, uint16_t slot, uint32_t nthreads)
{
    if (slot < nthreads && p->exec->threads[slot].slot == slot) /* most often so */
        return slot;
    return hd_path_find_tid(p, slot, nthreads);
}

/* Does the next step of the thread sleep? */
bool hd_path_asleep(const struct hd_path *p, uint32_t k, uint16_t slot);

/* The thread that runs last goes on if it may; else the next in creation order; those
 * that yielded come last.  HD_NO_TID when all that are enabled sleep. */
hd_tid hd_path_free_choice(const struct hd_path *p, const struct hd_point *at);

/* Make the trace of the first nsteps steps, of which `keep` are those of the execution
 * before.  False: too long. */
bool hd_path_trace(struct hd_path *p, uint32_t nsteps, uint32_t keep);

#endif
