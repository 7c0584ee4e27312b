/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dekker - mutual exclusion of two threads by flags; where both are up, the one whose turn
 * it is not takes its flag down until it is.
 *
 * Claim: section.h.  FLAG_LATE: looks at the other's flag before it raises its own; both get
 * in.  NO_RETREAT: the flag stays up while waiting for the turn; both wait forever. */
#include "../program.h"

#include <sched.h>

static int wants[2], turn;

#ifdef FLAG_LATE
static void enter(int me)
{
    while (atomic_read(wants[1 - me]))
        sched_yield();
    atomic_write(wants[me], 1);
}
#else
static void wait_for_turn(int me)
{
#ifndef NO_RETREAT
    atomic_write(wants[me], 0);
#endif
    while (atomic_read(turn) != me)
        sched_yield();
    atomic_write(wants[me], 1);
}

static void enter(int me)
{
    atomic_write(wants[me], 1);
    while (atomic_read(wants[1 - me])) {
        if (atomic_read(turn) != me)
            wait_for_turn(me);
        else
            sched_yield();
    }
}
#endif

static void leave(int me)
{
    atomic_write(turn, 1 - me);
    atomic_write(wants[me], 0);
}

#include "section.h"
