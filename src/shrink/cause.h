/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.h - which order of two operations makes an execution fail, found by comparing it
 * with the nearest one that does not. */
#ifndef HD_SHRINK_CAUSE_H
#define HD_SHRINK_CAUSE_H

#include "model/cause.h"
#include "shrink/shrink.h"

/* An execution up to its failure. */
struct hd_failure {
    const struct hd_decision *steps; /* threads by slot */
    uint32_t nsteps;
    const struct hd_event *events; /* all of them, from the first one on */
    uint32_t nevents;
    const struct hd_event *pending; /* by thread: what it was about to do */
    const struct hd_thread_info *threads;
    uint32_t nthreads;
    /* A thread uses what another one has freed; without used nobody does. */
    bool used;
    hd_tid user, freer;
    uint32_t freed_at; /* so many steps were made before */
};

/* How many executions may be run for it. */
#define HD_CAUSE_TRIES 1000

void hd_cause_find(hd_try_fn *try, void *ctx, const struct hd_failure *f, struct hd_cause *out);

#endif
