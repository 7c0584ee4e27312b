/* SPDX-License-Identifier: BSD-2-Clause
 *
 * IWSQWS - a work-stealing queue without locks that may give an item out twice; a
 * state in each item says whether another thread has it already (SCT study, row 33:
 * chess.IWSQWS).
 *
 * Claim and threads: wsq.h.  Defect: the state is read and then set, in two
 * steps, by the owner as by the thieves.  Head, tail and the states race by design
 * and are visible.  The run has a third of the points of the study's, so that the
 * twin is verified in time.  Fix: look and set in one step. */
#include "../program.h"

enum { ITEMS = 16, STEALS = 8, NOTHING = -1 };
enum { READY, TAKEN };

static int head, tail;
static int states[ITEMS];

static void push(int item)
{
    atomic_write(states[item], READY);
    atomic_write(tail, atomic_read(tail) + 1);
}

static int take(int item)
{
#ifdef FIXED
    return atomic_swap(states[item], TAKEN) == READY ? item : NOTHING;
#else
    if (atomic_read(states[item]) == TAKEN)
        return NOTHING;
    atomic_write(states[item], TAKEN);
    return item;
#endif
}

/* From the tail, downwards over what thieves have emptied. */
static int pop(void)
{
    int h = atomic_read(head);

    for (int item = atomic_read(tail) - 1; item >= h; item--)
        if (take(item) != NOTHING)
            return item;
    return NOTHING;
}

static int steal(void)
{
    int h = atomic_read(head);
    int item;

    if (h >= atomic_read(tail))
        return NOTHING;
    item = take(h);
    atomic_cas(head, h, h + 1);
    return item;
}

#include "wsq.h"
