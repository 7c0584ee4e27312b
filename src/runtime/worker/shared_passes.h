/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_passes.h - passes of workers that share a space of executions (search/core/passes.h). */
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
