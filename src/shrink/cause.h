/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.h - finds the order of two operations that makes an execution fail, by comparing the execution with the
 * nearest passing one. */
#ifndef HD_SHRINK_CAUSE_H
#define HD_SHRINK_CAUSE_H

#include "model/cause.h"
#include "shrink/shrink.h"

/* An execution up to its failure. */
struct hd_failure {
    const struct hd_decision *steps; /* the decisions; threads are given by their slots */
    uint32_t nsteps;
    const struct hd_event *events; /* all events, from the first one on */
    uint32_t nevents;
    const struct hd_event *pending; /* by thread: its pending operation; NULL: unknown */
    const struct hd_thread_info *threads;
    uint32_t nthreads;
    /* Only if a thread used memory that another thread had freed: */
    bool used;
    hd_tid user, freer;
    uint32_t freed_at; /* number of steps before the free */
};

/* Maximum number of executions to run. */
#define HD_CAUSE_TRIES 1000

void hd_cause_find(hd_try_fn *try, void *ctx, const struct hd_failure *f, struct hd_cause *out);

#endif
