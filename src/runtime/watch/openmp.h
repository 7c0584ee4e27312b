/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp.h - how OpenMP orders threads.
 *
 * gcc's and clang's libraries run and join threads, and let them wait for each other, by accesses
 * that nobody sees.  What their functions promise is told to the race detector instead:
 *
 * O1  A thread of a team knows what was done before its region; who began the region knows
 *     afterwards what all of them did.
 * O2  Who leaves a barrier knows what all did before it.  Two objects take turns, since a thread may
 *     be at the next barrier before another has left this one.
 * O3  Who enters a critical section, takes a lock or is the one to combine the parts of a reduction
 *     knows what was done under it before.
 * O4  All of this holds for the functions in openmp.def.  A program that asks for others (tasks,
 *     ordered loops, flushes) may be ordered in other ways: its races are possible ones. */
#ifndef HD_RUNTIME_WATCH_OPENMP_H
#define HD_RUNTIME_WATCH_OPENMP_H

#include <stdbool.h>

/* Before main. */
void hd_openmp_init(void);
/* O4: is all that OpenMP orders in this program known? */
bool hd_openmp_is_known(void);

#endif
