/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.c - breadth-first search along the wait-for relation until it returns to the start.  A thread that
 * waits for several others (a writer for readers) needs all of them, so every cycle is a deadlock. */
#include "detect/deadlock.h"

/* Stores the path from `start` to t and returns its length. */
static unsigned way_to(hd_tid t, hd_tid start, const hd_tid *from, hd_tid *cycle)
{
    unsigned n = 1;

    for (hd_tid at = t; at != start; at = from[at])
        n++;
    for (unsigned i = n; i-- > 0; t = from[t])
        cycle[i] = t;
    return n;
}

static unsigned cycle_from(hd_tid start, const struct hd_set *waits_for, hd_tid *cycle)
{
    hd_tid queue[HD_MAX_THREADS], from[HD_MAX_THREADS];
    unsigned head = 0, tail = 0;
    struct hd_set seen;

    hd_set_clear(&seen);
    queue[tail++] = start;
    from[start] = start;
    while (head < tail) {
        hd_tid t = queue[head++];

        HD_SET_EACH(next, &waits_for[t]) {
            if (next == start)
                return way_to(t, start, from, cycle);
            if (hd_set_has(&seen, next))
                continue;
            hd_set_add(&seen, next);
            from[next] = t;
            queue[tail++] = (hd_tid)next;
        }
    }
    return 0;
}

unsigned hd_deadlock_cycle(const struct hd_set *waits_for, unsigned nthreads, hd_tid *cycle)
{
    for (unsigned start = 0; start < nthreads; start++) {
        unsigned n = hd_set_is_empty(&waits_for[start])
                         ? 0 : cycle_from((hd_tid)start, waits_for, cycle);

        if (n > 0)
            return n;
    }
    return 0;
}
