/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter_actors.c - a counter with two replicas, on two machines: docs/actors.md.  Two clients change it.  Each sends its change to
 * both replicas; with -DFIXED to a sequencer, which passes all changes on in one order. */
#include <heddle/actor.h>
#include <heddle/heddle.h>

#define COUNTER(I, MESSAGE, REQUEST) \
    MESSAGE(I, add, (int, amount))   \
    MESSAGE(I, twice)
HEDDLE_INTERFACE(counter, COUNTER);

/* ---- a replica: it has the value ---- */

struct replica {
    int value;
};
HEDDLE_IMPLEMENT(counter, COUNTER, replica);

static void replica_add(struct replica *self, int amount)
{
    self->value += amount;
}

static void replica_twice(struct replica *self)
{
    self->value *= 2;
}

/* ---- the sequencer passes each change on to all replicas ---- */

static counter all[2];

struct sequencer {
    int changes;
};
HEDDLE_IMPLEMENT(counter, COUNTER, sequencer);

static void sequencer_add(struct sequencer *self, int amount)
{
    self->changes++;
    counter_add(all[0], amount);
    counter_add(all[1], amount);
}

static void sequencer_twice(struct sequencer *self)
{
    self->changes++;
    counter_twice(all[0]);
    counter_twice(all[1]);
}

/* ---- clients ---- */

#define CLIENT(I, MESSAGE, REQUEST) MESSAGE(I, go, (int, number))
HEDDLE_INTERFACE(client, CLIENT);

static counter through;

struct user {
    int unused;
};
HEDDLE_IMPLEMENT(client, CLIENT, user);

static void change(counter c, int number)
{
    if (number == 0)
        counter_add(c, 1);
    else
        counter_twice(c);
}

static void user_go(struct user *self, int number)
{
    (void)self;
#ifdef FIXED
    change(through, number);
#else
    change(all[0], number);
    change(all[1], number);
#endif
}

/* ---- two machines ---- */

static struct replica state[2];
static struct sequencer sequencer;
static struct user users[2];

static void boot(void *number)
{
    int i = *(int *)number;

    counter replica = replica_create_with(&state[i], &(heddle_actor_options){ .name = i == 0 ? "left" : "right" });

    all[i] = replica;
}

int main(void)
{
    static int number[] = { 0, 1 };

    heddle_node_new("machine 0", boot, &number[0]);
    heddle_node_new("machine 1", boot, &number[1]);
    heddle_quiesce();
    counter front = sequencer_create_with(&sequencer, &(heddle_actor_options){ .node = heddle_node_new("front", 0, 0) });

    through = front;
    for (int i = 0; i < 2; i++)
        client_go(user_create_with(&users[i], &(heddle_actor_options){ .name = i == 0 ? "adds" : "doubles" }), i);
    heddle_quiesce();
    heddle_assert(state[0].value == state[1].value);
    return 0;
}
