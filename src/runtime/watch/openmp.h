/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp.h - how OpenMP orders threads.
 *
 * gcc's and clang's libraries start, join and synchronise threads by accesses that Heddle does not
 * see.  The race detector uses the guarantees of their functions instead:
 *
 * O1  Everything before a region happens before everything that the threads of its team do.  What they do happens
 *     before the end of the region in the thread that began it.
 * O2  Everything before a barrier happens before everything after it.  Two objects alternate, since
 *     a thread may reach the next barrier before another has left this one.
 * O3  A thread that enters a critical section, takes a lock or combines the parts of a reduction acquires everything
 *     that was done before in that section, under that lock or in that reduction.
 * O4  All this holds for the functions in openmp.def.  A program that uses others (tasks, ordered
 *     loops, flushes) may be ordered in other ways: its races are reported as possible ones. */
#ifndef HD_RUNTIME_WATCH_OPENMP_H
#define HD_RUNTIME_WATCH_OPENMP_H

#include <stdbool.h>

/* Call it before main. */
void hd_openmp_init(void);
/* O4: true if the program uses only known functions. */
bool hd_openmp_is_known(void);

#endif
