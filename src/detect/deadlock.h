/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - finds cycles in the wait-for relation. */
#ifndef HD_DETECT_DEADLOCK_H
#define HD_DETECT_DEADLOCK_H

#include "base/set.h"
#include "model/event.h"

/* waits_for[t] is the set of threads that thread t waits for; empty if any thread could release t.  Stores the
 * members of a shortest cycle through the lowest thread that is in a cycle, beginning with that thread: each
 * waits for the next one, the last one for the first.  Returns their number, or 0 if there is no cycle. */
unsigned hd_deadlock_cycle(const struct hd_set *waits_for, unsigned nthreads, hd_tid *cycle);

#endif
