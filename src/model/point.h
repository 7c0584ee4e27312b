/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point.h - a scheduling point: every live thread stands before its pending
 * operation, and one that is enabled must be chosen. */
#ifndef HD_MODEL_POINT_H
#define HD_MODEL_POINT_H

#include "base/set.h"
#include "model/event.h"

struct hd_point {
    uint32_t step;                  /* index of this decision in the execution */
    uint32_t nthreads;              /* created so far, finished ones included */
    hd_tid last;                    /* thread of the event before; 0 at the start */
    bool last_enabled;              /* last is enabled ... */
    bool last_yielded;              /* ... and has yielded: leaving it is free */
    bool last_resort;               /* nobody could run: who is enabled now was held back */
    struct hd_set enabled;          /* never empty */
    struct hd_set yielded;          /* enabled threads that are to go after the others; the runtime
                                     * leaves it empty, as that would lose interleavings */
    const struct hd_event *pending; /* [nthreads], indexed by tid */
    const uint32_t *sigs;           /* [nthreads]: what replay compares of each pending operation */
    uint32_t stands;                /* a sum over what all threads stand before and where: the same
                                     * whenever the same decisions lead here; 0: not known */
};

/* Would running next be a preemption: a switch away from a thread that is enabled
 * and did not yield? */
static inline bool hd_point_preempts(const struct hd_point *p, hd_tid next)
{
    return next != p->last && p->last_enabled && !p->last_yielded;
}

#endif
