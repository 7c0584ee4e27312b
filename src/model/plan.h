/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plan.h - requests for single executions from another process.
 *
 * A plan is a list of decisions in which threads are identified by their slots, which denote the same threads
 * in every execution.  It need not be executable as it is (search/core/follow.c).  Its steps are stored where a
 * replay has its recorded decisions.  The requesting process changes the plan only when all requests have been
 * answered; the cursor of the search counts the answers.
 *
 * A step with the signature HD_PLAN_WAITS waits for its thread: while the thread cannot run, or
 * does not exist yet, others run without preemptions.  From the first such step on, the choices of
 * the plan are used in their order, regardless of the steps between them. */
#ifndef HD_MODEL_PLAN_H
#define HD_MODEL_PLAN_H

#include <stdint.h>

#define HD_PLAN_WAITS 1u

struct hd_plan {
    uint64_t asked;  /* number of plans requested so far, including the one that is ready to run */
    uint32_t nsteps; /* length of that plan */
    /* Result of the last plan; its decisions and events are those of the execution. */
    uint32_t ending; /* enum hd_ending */
    uint32_t findings;
    uint32_t answers; /* incremented with each answer; the requesting process sleeps on it (futex), the worker
                       * on the low half of `asked` */
};

#endif
