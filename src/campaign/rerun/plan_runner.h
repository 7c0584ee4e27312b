/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan_runner.h - runs one plan after another in one target, for minimising.  A candidate costs one
 * execution and a read of shared memory, but no new process. */
#ifndef HD_CAMPAIGN_RERUN_PLAN_RUNNER_H
#define HD_CAMPAIGN_RERUN_PLAN_RUNNER_H

#include <sys/types.h>

#include "campaign/session/session.h"
#include "shrink/shrink.h"

struct hd_plan_runner {
    struct hd_session *s; /* the session that hd_child_session has opened */
    pid_t watcher;        /* process that starts and watches the target; 0: it has ended */
    double start;         /* time when the runner was started */
    double until;         /* no plan is started after this time */
    double last;          /* no result is awaited after this time */
    bool must;            /* run even if a signal of the user is pending */
    uint64_t wanted;      /* occurrence of the finding; 0: the finding for which the schedule was saved */
    const struct hd_schedule *schedule;
    bool over;            /* a time limit was reached */
    bool passed;          /* some plan ran without a failure */
    const struct hd_finding *found; /* the finding in the last run; NULL: it did not occur */
    struct hd_decision *steps;      /* decisions of the last run, by slot */
};

/* Starts the target.  Returns false if this fails.  Call hd_plan_runner_end in either case. */
bool hd_plan_runner_start(struct hd_plan_runner *t, struct hd_session *s,
                    const struct hd_schedule *schedule, uint64_t wanted, double last);
void hd_plan_runner_end(struct hd_plan_runner *t);

/* Runs a plan and stores the result in *out.  Returns false if it could not be run or did not end
 * in time.  A hd_try_fn (shrink/shrink.h) whose ctx is the struct hd_plan_runner. */
bool hd_plan_runner_run(void *tries, const struct hd_decision *plan, uint32_t n, struct hd_tried *out);

/* Converts the decisions of a finding, or of a whole execution: the result names threads by slot. */
void hd_plan_runner_by_slot(const struct hd_decision *d, uint32_t n, const struct hd_thread_info *threads,
                      uint32_t nthreads, struct hd_decision *out);

/* Returns a section of a finding and sets *n to its number of rows.  Returns NULL if there is none. */
const void *hd_plan_runner_section(const struct hd_finding *f, enum hd_section_type type, uint32_t *n);

#endif
