/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chase_lev - a work-stealing deque: the owner puts and takes at the bottom, a thief takes at
 * the top (the deque of Chase and Lev, here without growing).
 *
 * The owner puts 1 and 2 and takes two; the thief tries twice.  Claim: items.h.
 * NO_CAS: the owner takes the last item without competing for it.  TOP_FIRST: the owner looks
 * where the top is before it says, by lowering the bottom, which item it is about to take. */
#include "../program.h"

#include "items.h"

static int top, bottom;
static int items[MOST_ITEMS];

static void put(int item)
{
    int b = atomic_read(bottom);

    visible_write(items[b], item);
    atomic_write(bottom, b + 1);
}

static bool win_last(int t)
{
#ifdef NO_CAS
    atomic_write(top, t + 1);
    return true;
#else
    return atomic_cas(top, t, t + 1);
#endif
}

static int take(void)
{
    int b = atomic_read(bottom) - 1, t, item = 0;

#ifdef TOP_FIRST
    t = atomic_read(top);
    atomic_write(bottom, b);
#else
    atomic_write(bottom, b);
    t = atomic_read(top);
#endif
    if (t <= b) {
        item = visible_read(items[b]);
        if (t < b)
            return item;
        if (!win_last(t))
            item = 0;
    }
    atomic_write(bottom, b + 1);
    return item;
}

static int steal(void)
{
    int t = atomic_read(top), item;

    if (t >= atomic_read(bottom))
        return 0;
    item = visible_read(items[t]);
    return atomic_cas(top, t, t + 1) ? item : 0;
}

static void taken_if_any(int item)
{
    if (item != 0)
        taken(item);
}

static void *thief(void *arg)
{
    taken_if_any(steal());
    taken_if_any(steal());
    return arg;
}

int main(void)
{
    pthread_t thread = spawn(thief);
    int item;

    put(1);
    put(2);
    taken_if_any(take());
    taken_if_any(take());
    join(thread);
    while ((item = take()) != 0)
        taken(item);
    all_were_taken(2);
    return 0;
}
