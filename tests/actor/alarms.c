/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alarms.c - two actors, each with two timers.  The timers of one actor expire in two orders: four executions. */
#include <assert.h>
#include <heddle/actor.h>

#define BELL(I, MESSAGE, REQUEST) \
    MESSAGE(I, arm)               \
    MESSAGE(I, ring, (int, number))
HEDDLE_INTERFACE(bell, BELL);

struct clapper {
    int rung, last;
};
HEDDLE_IMPLEMENT(bell, BELL, clapper);

static void clapper_arm(struct clapper *self)
{
    self->last = 0;
    bell_ring_after(bell_of(heddle_self()), 1000, 1);
    bell_ring_after(bell_of(heddle_self()), 2000, 2);
}

static void clapper_ring(struct clapper *self, int number)
{
    self->rung++;
    self->last = number;
}

int main(void)
{
    static struct clapper state[2];
    bell all[2] = { clapper_create(&state[0]), clapper_create(&state[1]) };

    bell_arm(all[0]);
    bell_arm(all[1]);
    heddle_quiesce();
    assert(state[0].rung == 2 && state[1].rung == 2);
    heddle_actors_stop();
    return 0;
}
