/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pool.c - the pool itself under Heddle (HEDDLE_ACTOR=pool; built together with the library): 2 workers, 3 actors.  The first tells the
 * second, which tells the third. */
#include <stdlib.h>

#include <heddle/actor.h>

#define RELAY(I, MESSAGE, REQUEST) MESSAGE(I, pass, (int, hops))
HEDDLE_INTERFACE(relay, RELAY);

static relay relays[3];

struct hop {
    int got;
};
HEDDLE_IMPLEMENT(relay, RELAY, hop);

static struct hop hops[3];

static void hop_pass(struct hop *self, int n)
{
    self->got++;
    if (n > 0)
        relay_pass(relays[self - hops + 1], n - 1);
}

int main(void)
{
    heddle_actors_options o = { .workers = 2 };

    heddle_actors_start(&o);
    for (int i = 0; i < 3; i++)
        relays[i] = hop_create(&hops[i]);
    relay_pass(relays[0], 2);
    heddle_quiesce();
    if (hops[0].got != 1 || hops[1].got != 1 || hops[2].got != 1)
        abort();
    return 0;
}
