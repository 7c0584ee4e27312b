/* SPDX-License-Identifier: BSD-2-Clause
 *
 * passes.h - passes of workers that share a space of executions: see search/core/passes.h. */
#ifndef HD_MODEL_PASSES_H
#define HD_MODEL_PASSES_H

#include <stdint.h>

#define HD_PASSES_WORKERS 64

/* The facts on which a pass depends.  Both numbers only grow. */
struct hd_known {
    uint64_t sites;  /* number of racing sites, which are scheduling points */
    uint64_t learnt; /* hd_learnt_count */
};

struct hd_passes {
    uint64_t number;       /* number of the current pass, from 0 */
    struct hd_known known; /* facts that were known when the pass began */
    uint64_t lock;         /* 1 + the worker that prepares the next pass */
    uint64_t at[HD_PASSES_WORKERS]; /* number of the pass that each worker is ready for */
};

#endif
