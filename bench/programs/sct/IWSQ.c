/* SPDX-License-Identifier: BSD-2-Clause
 *
 * IWSQ - a work-stealing queue without locks: thieves take the head by compare and
 * swap (SCT study, row 32: chess.IWSQ).
 *
 * Claim and threads: wsq.h.  Defect: the owner takes the last item without asking;
 * a thief that has looked at the queue before still swaps the head successfully.
 * Head, tail and items race by design and are visible.
 * Fix: for the last item the owner competes by compare and swap, too. */
#include "../program.h"

enum { ITEMS = 10, STEALS = 4, NOTHING = -1 };

static int head, tail;
static int items[ITEMS];

static void push(int item)
{
    int t = atomic_read(tail);

    atomic_write(items[t], item);
    atomic_write(tail, t + 1);
}

#ifdef FIXED
static int pop_last(int h)
{
    int item = atomic_read(items[h]);

    if (!atomic_cas(head, h, h + 1))
        item = NOTHING;
    atomic_write(tail, h + 1);
    return item;
}
#endif

static int pop(void)
{
    int t = atomic_read(tail) - 1;
    int h;

    atomic_write(tail, t);
    h = atomic_read(head);
#ifdef FIXED
    if (h == t)
        return pop_last(h);
#endif
    if (h <= t)
        return atomic_read(items[t]);
    atomic_write(tail, h);
    return NOTHING;
}

static int steal(void)
{
    int h = atomic_read(head);
    int item;

    if (h >= atomic_read(tail))
        return NOTHING;
    item = atomic_read(items[h]);
    return atomic_cas(head, h, h + 1) ? item : NOTHING;
}

#include "wsq.h"
