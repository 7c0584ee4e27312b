/* SPDX-License-Identifier: BSD-2-Clause
 *
 * peterson - mutual exclusion of two threads by flags and a turn.
 *
 * Claim: section.h.  TURN_FIRST: the turn is given away before the own flag is up; both
 * get in.  NO_TURN: no thread gives way; both wait forever. */
#include "../program.h"

#include <sched.h>

static int wants[2];
#ifndef NO_TURN
static int turn;
#endif

static void enter(int me)
{
#ifndef TURN_FIRST
    atomic_write(wants[me], 1);
#endif
#ifndef NO_TURN
    atomic_write(turn, 1 - me);
#endif
#ifdef TURN_FIRST
    atomic_write(wants[me], 1);
#endif
    while (atomic_read(wants[1 - me])) {
#ifndef NO_TURN
        if (atomic_read(turn) == me)
            return;
#endif
        sched_yield();
    }
}

static void leave(int me)
{
    atomic_write(wants[me], 0);
}

#include "section.h"
