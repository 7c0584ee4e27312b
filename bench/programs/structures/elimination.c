/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elimination - a stack in which a thread that puts and one that takes meet in a slot beside it
 * when the stack's head is contended.
 *
 * Two threads put one item each, one takes what it can get in two attempts.  Claim: items.h.
 * BLIND: a thread that finds the slot empty leaves it by writing, not by comparing, and puts the item
 * on the stack although it was just taken. */
#include "../program.h"

#include "items.h"

enum { EMPTY = 0, TAKEN = -1, NONE = 0 };

static int head = NONE;
static int next[MOST_ITEMS]; /* the nodes are the items */
static int slot = EMPTY;

static bool try_to_push(int item)
{
    int seen = atomic_read(head);

    atomic_write(next[item], seen);
    return atomic_cas(head, seen, item);
}

static bool withdraw(int item)
{
#ifdef BLIND
    (void)item;
    atomic_write(slot, EMPTY);
    return true;
#else
    return atomic_cas(slot, item, EMPTY);
#endif
}

/* True if another thread took the item out of the slot. */
static bool hand_over(int item)
{
    if (!atomic_cas(slot, EMPTY, item))
        return false;
    if (withdraw(item))
        return false;
    atomic_write(slot, EMPTY); /* it says TAKEN */
    return true;
}

static void *put(void *arg)
{
    int item = number_of(arg);

    while (!try_to_push(item))
        if (hand_over(item))
            break;
    return NULL;
}

static int try_to_take(void)
{
    int seen = atomic_read(head);

    if (seen != NONE && atomic_cas(head, seen, atomic_read(next[seen])))
        return seen;
    seen = atomic_read(slot);
    return seen > 0 && atomic_cas(slot, seen, TAKEN) ? seen : NONE;
}

static void *take(void *arg)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        int item = try_to_take();

        if (item != NONE)
            taken(item);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn_numbered(put, 1), b = spawn_numbered(put, 2), c = spawn(take);
    int item;

    join(a);
    join(b);
    join(c);
    while ((item = try_to_take()) != NONE)
        taken(item);
    all_were_taken(2);
    return 0;
}
