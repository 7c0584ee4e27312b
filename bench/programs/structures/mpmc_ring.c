/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mpmc_ring - a ring of two places for many threads: each place has a sequence number that
 * says whose turn it is (the queue of D. Vyukov).
 *
 * Two threads put an item and take one; then main puts and takes another two, to go round.  Claim:
 * items.h.  The items are plain.  EARLY: the place is given on before the item is there.  NO_CAS: a
 * position is read and then raised: two get the same place.  NO_LAP: a thread that takes gives the place on
 * to the next one that takes, not to the one that puts in the next round; that one waits forever. */
#include "../program.h"

#include <sched.h>

#include "items.h"

enum { PLACES = 2 };

struct place {
    int sequence;
    int item;
};

static struct place places[PLACES] = {{0, 0}, {1, 0}};
static int put_position, take_position;

static bool win(int *position, int mine)
{
#ifdef NO_CAS
    atomic_write(*position, mine + 1);
    return true;
#else
    return atomic_cas(*position, mine, mine + 1);
#endif
}

/* The place of a position whose turn it is, and which is now the caller's. */
static struct place *claim(int *position, int turn, int *mine)
{
    for (;;) {
        struct place *place;

        *mine = atomic_read(*position);
        place = &places[*mine % PLACES];
        if (acquire_read(place->sequence) == *mine + turn && win(position, *mine))
            return place;
        sched_yield();
    }
}

static void put(int item)
{
    int mine;
    struct place *place = claim(&put_position, 0, &mine);

#ifdef EARLY
    release_write(place->sequence, mine + 1);
    place->item = item;
#else
    place->item = item;
    release_write(place->sequence, mine + 1);
#endif
}

static int take(void)
{
    int mine, item;
    struct place *place = claim(&take_position, 1, &mine);

    item = place->item;
#ifdef NO_LAP
    release_write(place->sequence, mine + 1);
#else
    release_write(place->sequence, mine + PLACES);
#endif
    return item;
}

static void *put_and_take(void *arg)
{
    put(number_of(arg));
    taken(take());
    return NULL;
}

int main(void)
{
    pthread_t a = spawn_numbered(put_and_take, 1), b = spawn_numbered(put_and_take, 2);

    join(a);
    join(b);
    put(3);
    put(4);
    taken(take());
    taken(take());
    all_were_taken(4);
    return 0;
}
