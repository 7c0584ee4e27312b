/* SPDX-License-Identifier: BSD-2-Clause
 *
 * world.c - what happens to nodes from outside.  Each clock, each cause of crashes and each slow connection is an actor: its messages
 * come at any time with respect to those of others. */
#include "raft.h"

struct cause {
    int node, count;
};

static void nothing(void *cause, heddle_message *m)
{
    (void)cause, (void)m;
}

static void ring(void *cause)
{
    struct cause *c = cause;

    for (int i = 0; i < c->count; i++)
        raft_tick(peer[c->node]);
}

static void crash(void *cause)
{
    struct cause *c = cause;

    for (int i = 0; i < c->count; i++) {
        raft_crash(peer[c->node]);
        raft_restart(peer[c->node]);
    }
}

static void pass_on(void *cause, heddle_message *m)
{
    struct cause *c = cause;

    heddle_message_keep(m);
    heddle_send(peer[c->node].ref, m);
}

static const heddle_behaviour clock_behaviour = { .name = "clock", .act = nothing, .begin = ring };
static const heddle_behaviour crash_behaviour = { .name = "crash", .act = nothing, .begin = crash };
static const heddle_behaviour slow_behaviour = { .name = "slow connection", .act = pass_on };

void world_new(void)
{
    static struct cause clocks[NODES], crashes[NODES], slow[NODES];
    int delays = 0;

    for (int i = 0; i < settings.nodes; i++)
        delays += settings.delays[i];
    for (int i = 0; i < settings.nodes && delays > 0; i++) {
        slow[i] = (struct cause){ i, 0 };
        late[i] = raft_of(heddle_create(&slow_behaviour, &slow[i], 0));
    }
    for (int i = 0; i < settings.nodes; i++) {
        clocks[i] = (struct cause){ i, settings.ticks[i] };
        crashes[i] = (struct cause){ i, settings.crashes[i] };
        if (clocks[i].count > 0)
            heddle_create(&clock_behaviour, &clocks[i], 0);
        if (crashes[i].count > 0)
            heddle_create(&crash_behaviour, &crashes[i], 0);
    }
}
