/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ticket_lock - each thread draws a number and waits until it is served.
 *
 * Claim: section.h.  TWO_STEPS: drawing reads the next number and then raises it, so that
 * two may draw the same.  RELAXED: a thread that leaves releases nothing of what was done inside. */
#include "../program.h"

#include <sched.h>

static int next_ticket, serving;

static int draw(void)
{
#ifdef TWO_STEPS
    int mine = atomic_read(next_ticket);

    atomic_write(next_ticket, mine + 1);
    return mine;
#else
    return atomic_add(next_ticket, 1);
#endif
}

static void enter(int me)
{
    int mine = draw();

    (void)me;
    while (acquire_read(serving) != mine)
        sched_yield();
}

static void leave(int me)
{
    int served = visible_read(serving); /* only the owner writes it */

    (void)me;
#ifdef RELAXED
    visible_write(serving, served + 1);
#else
    release_write(serving, served + 1);
#endif
}

#include "section.h"
