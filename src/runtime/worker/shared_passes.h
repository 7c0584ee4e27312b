/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_passes.h - workers that share a space of executions begin a new pass together, when one of
 * them has found more racing sites.
 *
 * A worker leaves its pass by a commit (search/core/search.h, P1), announces that in hd_passes.at, and no
 * longer touches the shared data.  When all workers have done so, one of them clears the data,
 * counts the sites, and announces the new pass; from then on these values do not change.  A worker
 * that was killed at any instruction repeats its part from its totals. */
#ifndef HD_RUNTIME_WORKER_SHARED_PASSES_H
#define HD_RUNTIME_WORKER_SHARED_PASSES_H

#include <stdbool.h>
#include <stddef.h>


/* Returns true if the next execution may begin.  If false, call again soon. */
bool hd_shared_passes_ready(void);

/* Frees the lock that the dead worker may have held. */
void hd_shared_passes_recover(void);

/* Clears memory of the search by giving its pages back.  The memory is sparse: writing zeros would
 * allocate pages. */
void hd_shared_passes_wipe(void *p, size_t n);

#endif
