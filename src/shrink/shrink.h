/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink.h - a schedule that fails the same way, but is easier to understand: fewer
 * preemptions, then fewer switches between threads, then fewer steps.
 *
 * A schedule is a plan (model/plan.h): threads by slot, and it need not fit.  Every
 * candidate is run, through a callback, and only what the run shows counts; so a candidate
 * may be anything, and nothing here has to know what an operation does. */
#ifndef HD_SHRINK_SHRINK_H
#define HD_SHRINK_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/execution.h"

/* What came of a plan.  All of it belongs to who ran it, until the next run. */
struct hd_tried {
    bool same;  /* the finding showed, and what follows ends there */
    bool clean; /* nothing was wrong, and it ran to its end */
    uint32_t preemptions;
    const struct hd_decision *steps; /* threads by slot */
    uint32_t nsteps;
    const struct hd_event *events;
    uint32_t nevents;
};

/* False: it could not be run, and no other one is to be tried. */
typedef bool hd_try_fn(void *ctx, const struct hd_decision *plan, uint32_t n,
                       struct hd_tried *out);

/* In the order in which they count. */
struct hd_measure {
    uint32_t preemptions, switches, steps;
    uint32_t choices; /* other than 0 */
};

struct hd_shrunk {
    struct hd_decision *steps; /* the caller frees them; NULL: the plan did not fail */
    uint32_t nsteps;
    struct hd_measure measure;
};

struct hd_measure hd_measure(const struct hd_tried *t);

/* Is a better than b? */
bool hd_measure_less(const struct hd_measure *a, const struct hd_measure *b);

/* Run the plan, and whatever makes it smaller, until nothing does or try says no.  What
 * comes out is at most as large, and was run. */
void hd_shrink(hd_try_fn *try, void *ctx, const struct hd_decision *plan, uint32_t n,
               struct hd_shrunk *out);

#endif
