/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.c - follow who waits for whom.  Every thread waits for at most one
 * other, so from each start the walk is a path that ends or runs into a cycle
 * within nthreads steps. */
#include "detect/deadlock.h"

unsigned hd_deadlock_cycle(const hd_tid *waits_for, unsigned nthreads, hd_tid *cycle)
{
    for (unsigned start = 0; start < nthreads; start++) {
        unsigned n = 0;
        hd_tid t = (hd_tid)start;

        do {
            cycle[n++] = t;
            t = waits_for[t];
        } while (t != HD_NO_TID && t != start && n < nthreads);
        if (t == start)
            return n; /* starts are tried in order: this one is its lowest member */
    }
    return 0;
}
