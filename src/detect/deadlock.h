/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - cycles in the wait-for relation. */
#ifndef HD_DETECT_DEADLOCK_H
#define HD_DETECT_DEADLOCK_H

#include "model/event.h"

/* waits_for[t] is the thread that t waits for, HD_NO_TID when there is no single
 * one.  Writes the members of a cycle to cycle, in order (each waits for the
 * next, the last for the first), beginning with its lowest tid, and returns
 * their number; 0 when there is no cycle. */
unsigned hd_deadlock_cycle(const hd_tid *waits_for, unsigned nthreads, hd_tid *cycle);

#endif
