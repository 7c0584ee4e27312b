/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tournament_barrier - three threads meet in two rounds: 1 reports to 0, then 2 reports to
 * 0, and 0, the champion, lets all go.
 *
 * Claim: meeting.h.  A report is the number of the meeting.  FLAGS: it is a flag that stays
 * up, so that the second meeting does not wait.  ONE_ROUND: the champion does not wait for
 * 2, who had no opponent in the first round. */
#include "../program.h"

#include <sched.h>

#define THREADS 3

static int reports[THREADS], released;
static int meetings[THREADS]; /* each its own */

static void await(int *cell, int meeting)
{
#ifdef FLAGS
    meeting = 1;
#endif
    while (atomic_read(*cell) < meeting)
        sched_yield();
}

static void meet(int me)
{
    int meeting = ++meetings[me];

    if (me != 0) {
        atomic_write(reports[me], meeting);
        await(&released, meeting);
        return;
    }
    await(&reports[1], meeting);
#ifndef ONE_ROUND
    await(&reports[2], meeting);
#endif
    atomic_write(released, meeting);
}

#include "meeting.h"
