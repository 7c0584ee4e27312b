/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_passes.h - workers that share a space of executions begin a new pass together, when one
 * of them has found more racing sites.
 *
 * A worker leaves its pass by a commit (search.h, P1), says so in hd_passes.at, and does
 * not touch what they share any more.  When all have done so, one of them clears it, counts
 * the sites, and makes the pass known; from then on nothing of it changes.
 * Killed at any instruction, a worker does the same again from its totals. */
#ifndef HD_RUNTIME_WORKER_SHARED_PASSES_H
#define HD_RUNTIME_WORKER_SHARED_PASSES_H

#include "runtime/core/rt.h"

/* May the next execution begin?  Else ask again soon. */
bool hd_shared_passes_ready(void);

/* The worker is dead: what it has locked is free. */
void hd_shared_passes_recover(void);

/* Clear memory of the search.  It is sparse: writing zeros would make it real. */
void hd_shared_passes_wipe(void *p, size_t n);

#endif
