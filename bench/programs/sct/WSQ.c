/* SPDX-License-Identifier: BSD-2-Clause
 *
 * WSQ - a work-stealing queue in which the owner pops without a lock as long as
 * thieves, who hold it, are far away (SCT study, row 35: chess.WSQ).
 *
 * Claim and threads: wsq.h.  Defect: a thief looks where the tail is before it
 * says, by raising the head, which item it is about to take; the owner may take
 * that very item in between.  Head, tail and the items race by design, and all of
 * them are visible.
 * Fix: first raise the head, then look. */
#include "../program.h"

enum { ITEMS = 10, STEALS = 4, NOTHING = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int head, tail;
static int items[ITEMS];

static void push(int item)
{
    int t = atomic_read(tail);

    atomic_write(items[t], item);
    atomic_write(tail, t + 1);
}

/* The last item, or none: here owner and thief may meet, so the lock decides. */
static int pop_slowly(int t)
{
    int item = NOTHING;

    pthread_mutex_lock(&lock);
    if (atomic_read(head) <= t)
        item = atomic_read(items[t]);
    else
        atomic_write(tail, t + 1);
    pthread_mutex_unlock(&lock);
    return item;
}

static int pop(void)
{
    int t = atomic_read(tail) - 1;

    atomic_write(tail, t);
    return atomic_read(head) <= t ? atomic_read(items[t]) : pop_slowly(t);
}

static int steal(void)
{
    int item = NOTHING;
    int h, t;

    pthread_mutex_lock(&lock);
    h = atomic_read(head);
#ifdef FIXED
    atomic_write(head, h + 1);
    t = atomic_read(tail);
#else
    t = atomic_read(tail);
    atomic_write(head, h + 1);
#endif
    if (h < t)
        item = atomic_read(items[h]);
    else
        atomic_write(head, h);
    pthread_mutex_unlock(&lock);
    return item;
}

#include "wsq.h"
