/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan_runner.h - runs one plan after another in one target; used for minimising.  A
 * candidate costs an execution and a look at shared memory, but no process. */
#ifndef HD_CAMPAIGN_PLAN_RUNNER_H
#define HD_CAMPAIGN_PLAN_RUNNER_H

#include <sys/types.h>

#include "campaign/session.h"
#include "shrink/shrink.h"

struct hd_plan_runner {
    struct hd_session *s; /* from hd_child_session */
    pid_t watcher;        /* process that starts and watches the target; 0: it is gone */
    double start;         /* start of the time limits below */
    double until;         /* no plan is started later than this */
    double last;          /* no result is awaited later than this */
    bool must;            /* run even if a signal of the user is pending */
    uint64_t wanted;      /* occurrence of the finding; 0: the one that the schedule was saved
                           * for */
    const struct hd_schedule *schedule;
    bool over;            /* a plan was not run because it was too late */
    bool passed;          /* some plan passed */
    const struct hd_finding *found; /* finding of the last run; NULL: it did not occur */
    struct hd_decision *steps;      /* decisions of the last run, by slot */
};

/* False if the target could not be started.  Call hd_plan_runner_end in either case. */
bool hd_plan_runner_start(struct hd_plan_runner *t, struct hd_session *s,
                    const struct hd_schedule *schedule, uint64_t wanted, double last);
void hd_plan_runner_end(struct hd_plan_runner *t);

/* A hd_try_fn whose ctx is struct hd_plan_runner. */
bool hd_plan_runner_run(void *tries, const struct hd_decision *plan, uint32_t n, struct hd_tried *out);

/* Converts the decisions of a finding or of a whole execution to threads by slot. */
void hd_plan_runner_by_slot(const struct hd_decision *d, uint32_t n, const struct hd_thread_info *threads,
                      uint32_t nthreads, struct hd_decision *out);

/* A section of a finding and its number of rows; NULL if there is none. */
const void *hd_plan_runner_section(const struct hd_finding *f, enum hd_section_type type, uint32_t *n);

#endif
