/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point.h - a scheduling point: every live thread has stopped before its pending operation, and one enabled
 * thread must be chosen. */
#ifndef HD_MODEL_POINT_H
#define HD_MODEL_POINT_H

#include "base/set.h"
#include "model/event.h"

struct hd_point {
    uint32_t step;                  /* index of this decision in the execution */
    uint32_t nthreads;              /* threads created so far, including finished ones */
    hd_tid last;                    /* thread of the previous event; 0 at the start */
    bool last_enabled;              /* last is enabled */
    bool last_yielded;              /* last has yielded: switching away from it is free */
    bool last_resort;               /* no thread could run, so threads that had been held back were enabled */
    bool again;                     /* the decision is taken again: the step chosen first has turned out to be
                                     * impossible (runtime/progress/await.h), and its thread is now in
                                     * `awaiting` */
    bool transaction;               /* the point is a choice, namely the outcome of a transaction at its begin */
    bool only_waits;                /* all remaining threads wait in loops and are disabled, but some of them may
                                     * still be able to leave their loops (A7 of runtime/progress/await.h).  From
                                     * here on runtime/progress/poll.h decides which of them run.  The rest of
                                     * the execution counts only if it has a finding */
    struct hd_set enabled;          /* never empty */
    const struct hd_event *pending; /* [nthreads], indexed by tid */
    const uint32_t *sigs;           /* [nthreads]: signatures of the pending operations, compared by
                                     * replay */
    uint32_t stands;                /* hash of all threads' pending operations and places in the code, always
                                     * the same after the same decisions; 0: unknown */
    uint32_t nuntried;              /* number of threads in `untried` */
    struct hd_set yielded;          /* enabled threads that should run only after the others; the runtime leaves
                                     * it empty, because it would lose interleavings */
    struct hd_set awaiting;         /* threads that are disabled because their operation would only
                                     * begin another round (model/awaits.h) */
    struct hd_set untried;          /* threads for which it is unknown whether their operation would only begin
                                     * another round.  If one is chosen and does, no step was taken */
};

/* True if running `next` is a preemption, that is, a switch away from a thread that is enabled and has not
 * yielded. */
static inline bool hd_point_preempts(const struct hd_point *p, hd_tid next)
{
    return next != p->last && p->last_enabled && !p->last_yielded;
}

#endif
