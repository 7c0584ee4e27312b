/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pool.c - the pool itself under Heddle (HEDDLE_ACTOR=pool; built together with the library): 2 workers, 3 actors.
 *
 *     pool ring     each actor creates the next one, and the last one sends the first one a message
 *     pool relay    main creates all three; the first tells the second, which tells the third
 *
 * In the ring only the workers put actors into queues, after the first one: so all interleavings can be explored. */
#include <stdlib.h>
#include <string.h>

#include <heddle/actor.h>

enum { ACTORS = 3 };

#define RELAY(I, MESSAGE, REQUEST) MESSAGE(I, pass, (int, hops))
HEDDLE_INTERFACE(relay, RELAY);

struct hop {
    int got;
};
static struct hop hops[ACTORS];
static relay relays[ACTORS];
static int is_ring;

static void hop_begin(void *state);
HEDDLE_IMPLEMENT(relay, RELAY, hop, .begin = hop_begin);

static void hop_begin(void *state)
{
    long number = (struct hop *)state - hops;

    if (!is_ring)
        return;
    if (number == 0) {
        heddle_ref me = heddle_self();

        relays[0].ref.cell = me.cell; /* each by itself, because gcc calls no hook for the store of a returned structure */
        relays[0].ref.life = me.life;
    }
    if (number < ACTORS - 1)
        hop_create(&hops[number + 1]);
    else
        relay_pass(relays[0], 0);
}

static void hop_pass(struct hop *self, int n)
{
    self->got++;
    if (n > 0)
        relay_pass(relays[self - hops + 1], n - 1);
}

int main(int argc, char **argv)
{
    heddle_actors_options o = { .workers = 2 };

    is_ring = argc > 1 && strcmp(argv[1], "ring") == 0;
    heddle_actors_start(&o);
    if (is_ring) {
        heddle_quiesce();
        hop_create(&hops[0]);
    } else {
        for (int i = 0; i < ACTORS; i++)
            relays[i] = hop_create(&hops[i]);
        relay_pass(relays[0], ACTORS - 1);
    }
    heddle_quiesce();
    for (int i = 0; i < ACTORS; i++)
        if (hops[i].got != (i == 0 || !is_ring))
            abort();
    return 0;
}
