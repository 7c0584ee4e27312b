/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dissemination_barrier - three threads; in round r every thread tells the one 2^r further on
 * and waits to be told.  After two rounds all know of all.
 *
 * Claim: meeting.h.  ONE_ROUND: each thread knows of its neighbour only. */
#include "../program.h"

#include <sched.h>

#define THREADS 3

#ifdef ONE_ROUND
enum { ROUNDS = 1 };
#else
enum { ROUNDS = 2 };
#endif

static int told[ROUNDS][THREADS]; /* how often */
static int meetings[THREADS];     /* each its own */

static void meet(int me)
{
    int meeting = ++meetings[me];

    for (int round = 0; round < ROUNDS; round++) {
        atomic_add(told[round][(me + (1 << round)) % THREADS], 1);
        while (atomic_read(told[round][me]) < meeting)
            sched_yield();
    }
}

#include "meeting.h"
