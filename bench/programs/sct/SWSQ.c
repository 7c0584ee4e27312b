/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SWSQ - a work-stealing queue that is nothing but the states of its items: owner
 * and thieves look for one that is ready, from both ends (SCT study, row 34:
 * chess.SWSQ).
 *
 * Claim and threads: wsq.h.  Defect: the state is read and then set, in two
 * steps.  The states race by design and are visible.  With these many items the run
 * is more than half as long as the study's.  Fix: compare and swap. */
#include "../program.h"

enum { ITEMS = 24, STEALS = 12, NOTHING = -1 };
enum { EMPTY, READY, TAKEN };

static int states[ITEMS];
static int pushed; /* the owner's own */

static void push(int item)
{
    atomic_write(states[item], READY);
    pushed = item + 1;
}

static bool take(int item)
{
#ifdef FIXED
    return atomic_cas(states[item], READY, TAKEN);
#else
    if (atomic_read(states[item]) != READY)
        return false;
    atomic_write(states[item], TAKEN);
    return true;
#endif
}

static int pop(void)
{
    for (int item = pushed - 1; item >= 0; item--)
        if (take(item))
            return item;
    return NOTHING;
}

/* From the head, up to where nothing was pushed yet. */
static int steal(void)
{
    for (int item = 0; item < ITEMS && atomic_read(states[item]) != EMPTY; item++)
        if (take(item))
            return item;
    return NOTHING;
}

#include "wsq.h"
