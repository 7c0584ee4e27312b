/* SPDX-License-Identifier: BSD-2-Clause
 *
 * items.h - keeping count of the items of a container.
 *
 * Claim: every item that was put in is taken out exactly once.  An item is a small number;
 * the thread that takes it says so, main at the end for those that are left.  Unseen: a point
 * here would only repeat the one at which the item was taken. */
#ifndef ITEMS_H
#define ITEMS_H

enum { MOST_ITEMS = 8 };

static int times_taken[MOST_ITEMS];

static void taken(int item)
{
    assert(item >= 0 && item < MOST_ITEMS);
    assert(unseen_read(&times_taken[item]) == 0);
    unseen_write(&times_taken[item], 1);
}

/* For main: items 1 to n, and no others, were taken. */
static void all_were_taken(int n)
{
    for (int i = 0; i < MOST_ITEMS; i++)
        assert(unseen_read(&times_taken[i]) == (i >= 1 && i <= n));
}

#endif
