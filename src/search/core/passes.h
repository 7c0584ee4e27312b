/* SPDX-License-Identifier: BSD-2-Clause
 *
 * passes.h - workers that share a space of executions begin a new pass together, when one of them has found a new
 * racing site, or has learnt that a reduction leaves out too much (learnt.h).
 *
 * A worker leaves its pass by a commit (search.h, P1), announces that in `at`, and no longer accesses the shared
 * data.  When all workers have done so, one of them clears the data, stores the facts that are known by then, and
 * announces the new pass.  These facts do not change during the pass.  A worker may be killed at any instruction:
 * the next one reads in its totals how far it was. */
#ifndef HD_SEARCH_CORE_PASSES_H
#define HD_SEARCH_CORE_PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/passes.h"

struct hd_search;

/* Returns true if the worker may begin its next execution.  Otherwise call again soon: the function does not sleep,
 * so that the caller can check in between whether the search is over.  `now` returns the facts that are known. */
bool hd_passes_ready(struct hd_passes *p, struct hd_search *s, struct hd_known (*now)(const void *), const void *ctx);

/* Frees the lock that the dead worker may have held. */
void hd_passes_recover(struct hd_passes *p, uint32_t worker);

#endif
