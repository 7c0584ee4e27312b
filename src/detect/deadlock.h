/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - cycles in the wait-for relation. */
#ifndef HD_DETECT_DEADLOCK_H
#define HD_DETECT_DEADLOCK_H

#include "base/set.h"
#include "model/event.h"

/* waits_for[t] are the threads for all of which t waits: none for one that waits for
 * something that anybody may do.  Writes the members of a shortest cycle through the
 * lowest thread that is in one to cycle, in order (each waits for the next, the last for
 * the first), beginning with that thread, and returns their number; 0 when there is no
 * cycle. */
unsigned hd_deadlock_cycle(const struct hd_set *waits_for, unsigned nthreads, hd_tid *cycle);

#endif
