/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spsc_ring - a ring of two places between one thread that puts and one that takes.
 *
 * Claim: four items come out in the order in which they were put in.  The places are plain.
 * INDEX_FIRST: the item is announced before it is there.  RELAXED: the index orders nothing.
 * OVERWRITE: the ring is thought full one item too late. */
#include "../program.h"

#include <sched.h>

enum { PLACES = 2, ITEMS = 4 };

static int places[PLACES];
static int put_count, taken_count;

static bool is_full(int position)
{
#ifdef OVERWRITE
    return position - acquire_read(taken_count) > PLACES;
#else
    return position - acquire_read(taken_count) >= PLACES;
#endif
}

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (is_full(i))
            sched_yield();
#if defined(INDEX_FIRST)
        release_write(put_count, i + 1);
        places[i % PLACES] = i;
#elif defined(RELAXED)
        places[i % PLACES] = i;
        visible_write(put_count, i + 1);
#else
        places[i % PLACES] = i;
        release_write(put_count, i + 1);
#endif
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (acquire_read(put_count) == i)
            sched_yield();
        assert(places[i % PLACES] == i);
        release_write(taken_count, i + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t puts = spawn(producer), takes = spawn(consumer);

    join(puts);
    join(takes);
    return 0;
}
