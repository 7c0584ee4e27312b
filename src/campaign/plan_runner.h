/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan_runner.h - one plan after the other, in one target: what a schedule is minimised with.
 * A candidate costs an execution and a look at shared memory, no process. */
#ifndef HD_CAMPAIGN_PLAN_RUNNER_H
#define HD_CAMPAIGN_PLAN_RUNNER_H

#include <sys/types.h>

#include "campaign/session.h"
#include "shrink/shrink.h"

struct hd_plan_runner {
    struct hd_session *s; /* of hd_child_session */
    pid_t watcher;        /* starts the target and watches over it; 0: it is gone */
    double start;         /* of the time that follows */
    double until;         /* no plan is run later than this ... */
    double last;          /* ... and none is waited for */
    bool must;            /* a signal of the user does not keep it from being run */
    uint64_t wanted;      /* occurrence of the finding; 0: the one for which this was kept */
    const struct hd_schedule *schedule;
    bool over;            /* a plan was not run because it was too late */
    bool passed;          /* some plan */
    const struct hd_finding *found; /* in the last run; NULL: it did not show */
    struct hd_decision *steps;      /* of the last run, by slot */
};

/* False: the target could not be started.  To be ended in either case. */
bool hd_plan_runner_start(struct hd_plan_runner *t, struct hd_session *s,
                    const struct hd_schedule *schedule, uint64_t wanted, double last);
void hd_plan_runner_end(struct hd_plan_runner *t);

/* A hd_try_fn whose ctx is struct hd_plan_runner. */
bool hd_plan_runner_run(void *tries, const struct hd_decision *plan, uint32_t n, struct hd_tried *out);

/* The decisions of a finding, or of a whole execution, with threads by slot. */
void hd_plan_runner_by_slot(const struct hd_decision *d, uint32_t n, const struct hd_thread_info *threads,
                      uint32_t nthreads, struct hd_decision *out);

/* A section of a finding and how many rows it has; NULL: there is none. */
const void *hd_plan_runner_section(const struct hd_finding *f, enum hd_section_type type, uint32_t *n);

#endif
