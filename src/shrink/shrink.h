/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink.h - minimises a failing schedule: fewer preemptions, then fewer switches between
 * threads, then fewer steps, with the same failure.
 *
 * A schedule is given as a plan (model/plan.h), which need not be executable as it is.  A callback runs every
 * candidate, and only the resulting execution counts.  So a candidate may be any plan, and this code need not
 * know what an operation does. */
#ifndef HD_SHRINK_SHRINK_H
#define HD_SHRINK_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/execution.h"

/* The result of running a plan.  It belongs to the callback and is valid until the next
 * run. */
struct hd_tried {
    bool same;  /* the finding occurred; the execution's data ends there */
    bool clean; /* no finding, and the execution ran to its end */
    uint32_t preemptions;
    const struct hd_decision *steps; /* the decisions; threads are given by their slots */
    uint32_t nsteps;
    const struct hd_event *events; /* all events from the first one on; nevents is 0 if they are not available */
    uint32_t nevents;
    const struct hd_thread_info *threads;
    uint32_t nthreads;
};

/* Runs a plan.  Returns false if it could not be run and no other plan should be tried. */
typedef bool hd_try_fn(void *ctx, const struct hd_decision *plan, uint32_t n,
                       struct hd_tried *out);

/* How large a schedule is, in order of importance. */
struct hd_measure {
    uint32_t preemptions, switches, steps;
    uint32_t choices; /* number of choices other than 0 */
};

struct hd_shrunk {
    struct hd_decision *steps; /* the caller frees them; NULL: the plan did not fail */
    uint32_t nsteps;
    struct hd_measure measure;
};

struct hd_measure hd_measure(const struct hd_tried *t);

/* True if a is smaller than b. */
bool hd_measure_less(const struct hd_measure *a, const struct hd_measure *b);

/* Runs the plan and then smaller candidates, until none is better or `try` returns false.  The result has been
 * run, and is at most as large as the plan. */
void hd_shrink(hd_try_fn *try, void *ctx, const struct hd_decision *plan, uint32_t n,
               struct hd_shrunk *out);

#endif
