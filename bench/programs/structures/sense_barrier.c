/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sense_barrier - a counter and a sense that the last one to come reverses; the others
 * poll it.
 *
 * Claim: meeting.h.  RESET_LATE: the last reverses the sense before it resets the counter,
 * so that the reset may swallow an arrival of the next meeting.  NO_SENSE: the others wait
 * until the counter is 0 again and miss it if another thread comes to the next meeting. */
#include "../program.h"

#include <sched.h>

#ifndef THREADS
#define THREADS 2
#endif

static int count, sense;
static int senses[THREADS]; /* each its own */

static void meet(int me)
{
    int mine = senses[me] = !senses[me];

    if (atomic_add(count, 1) == THREADS - 1) {
#ifdef RESET_LATE
        atomic_write(sense, mine);
        atomic_write(count, 0);
#else
        atomic_write(count, 0);
        atomic_write(sense, mine);
#endif
        return;
    }
#ifdef NO_SENSE
    while (atomic_read(count) != 0)
        sched_yield();
#else
    while (atomic_read(sense) != mine)
        sched_yield();
#endif
}

#include "meeting.h"
