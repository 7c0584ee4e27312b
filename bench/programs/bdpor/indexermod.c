/* SPDX-License-Identifier: BSD-2-Clause
 *
 * indexermod - five threads take a place each in a table, probing from its beginning by
 * compare-and-swap (bounded-DPOR study).
 *
 * Claim: no thread gets a place that another has; 5! = 120 classes, all without a
 * preemption, since a comparison that fails is a read.  LOOK_FIRST: a thread looks
 * whether the place is free and then takes it. */
#include "../program.h"

enum { THREADS = 5, FREE = 0, TAKEN = 1 };

static int table[THREADS];
static int holders[THREADS];

static bool take(int place)
{
#ifdef LOOK_FIRST
    if (visible_read(table[place]) != FREE)
        return false;
    visible_write(table[place], TAKEN);
    return true;
#else
    return atomic_cas(table[place], FREE, TAKEN);
#endif
}

static void *work(void *arg)
{
    int place = 0;

    while (!take(place))
        place++;
    unseen_write(&holders[place], unseen_read(&holders[place]) + 1);
    assert(unseen_read(&holders[place]) == 1);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(work);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
