/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bakery - each thread draws a number larger than all others and waits for those with a
 * smaller one, or the same one and a smaller name (Lamport's bakery).
 *
 * Claim: section.h.  NO_CHOOSING: no thread waits for the threads that are about to draw, one of which
 * may have a small number already and not yet shown it.  NO_NAME: of two that drew the same
 * number neither waits for the other. */
#include "../program.h"

#include <sched.h>

#ifndef THREADS
#define THREADS 2
#endif
#define ROUNDS 1

static int choosing[THREADS], number[THREADS];

static void draw(int me)
{
    int largest = 0;

    atomic_write(choosing[me], 1);
    for (int i = 0; i < THREADS; i++) {
        int seen = atomic_read(number[i]);

        if (seen > largest)
            largest = seen;
    }
    atomic_write(number[me], largest + 1);
    atomic_write(choosing[me], 0);
}

static bool goes_before(int other, int others, int me, int mine)
{
    if (others == 0)
        return false;
#ifdef NO_NAME
    (void)other, (void)me;
    return others < mine;
#else
    return others < mine || (others == mine && other < me);
#endif
}

static void enter(int me)
{
    int mine;

    draw(me);
    mine = atomic_read(number[me]);
    for (int i = 0; i < THREADS; i++) {
        if (i == me)
            continue;
#ifndef NO_CHOOSING
        while (atomic_read(choosing[i]))
            sched_yield();
#endif
        while (goes_before(i, atomic_read(number[i]), me, mine))
            sched_yield();
    }
}

static void leave(int me)
{
    atomic_write(number[me], 0);
}

#include "section.h"
