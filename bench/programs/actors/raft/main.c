/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c - nodes, perhaps a client, and what may happen to them:
 *
 *     raft [nodes=N] [ticks=A,B,C] [crashes=A,B,C] [losses=A,B,C] [gaps=A,B,C] [delays=A,B,C] [entries=N] [batch=N] [compact=N]
 *          [client=1] [notify=1] [announce=1] [removes=A,B,C] [joins=1]
 *
 * A, B and C are for the nodes; a fourth number may follow.  Everything that is not named is 0; there are 3 nodes, and batch is 4. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raft.h"

struct settings settings = { .nodes = 3, .batch = BATCH };
raft peer[NODES], late[NODES];
client reader;

/* Writes, and reads when this is done: the value must be there. */
struct user {
    int reads;
};
HEDDLE_IMPLEMENT(client, CLIENT, user);

static void user_begin(struct user *self)
{
    (void)self;
    for (int i = 0; i < settings.nodes; i++)
        raft_write(peer[i]);
}

static void user_written(struct user *self)
{
    if (self->reads++ == 0) /* two leaders may have proposed it, one after the other */
        for (int i = 0; i < settings.nodes; i++)
            raft_read(peer[i]);
}

static void user_answer(struct user *self, int value)
{
    (void)self;
    assert(value == 1 && "a read sees what was written before it");
}

static const struct {
    const char *name;
    int *field;
    int count;
} options[] = {
    { "ticks", settings.ticks, NODES },   { "crashes", settings.crashes, NODES }, { "losses", settings.losses, NODES },
    { "gaps", settings.gaps, NODES },
    { "delays", settings.delays, NODES }, { "entries", &settings.entries, 1 },    { "batch", &settings.batch, 1 },
    { "compact", &settings.compact, 1 },  { "client", &settings.client, 1 },      { "notify", &settings.notify, 1 },
    { "announce", &settings.announce, 1 }, { "nodes", &settings.nodes, 1 },     { "removes", settings.removes, NODES },
    { "joins", &settings.joins, 1 },
};

static void wrong(const char *argument)
{
    fprintf(stderr, "raft: '%s': expected name=number, or name=a,b,c for the nodes; see main.c\n", argument);
    exit(1);
}

static void parse(const char *argument)
{
    size_t length = strcspn(argument, "=");

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *rest = argument + length;

        if (strlen(options[i].name) != length || strncmp(options[i].name, argument, length) != 0)
            continue;
        for (int k = 0; k < options[i].count; k++) {
            char *end;

            if (*rest == 0 && k > 0)
                break;
            if (*rest != (k == 0 ? '=' : ','))
                wrong(argument);
            options[i].field[k] = (int)strtol(rest + 1, &end, 10);
            if (end == rest + 1 || options[i].field[k] < 0 || options[i].field[k] > BATCH)
                wrong(argument);
            rest = end;
        }
        if (*rest != 0)
            wrong(argument);
        return;
    }
    wrong(argument);
}

int main(int argc, char **argv)
{
    static struct node nodes[NODES];
    static struct user user;

    for (int i = 1; i < argc; i++)
        parse(argv[i]);
    if (settings.nodes < 2)
        wrong("nodes");
    for (int i = 0; i < settings.nodes; i++)
        node_new(&nodes[i], i);
    if (settings.client)
        reader = user_create(&user);
    world_new();
    if (settings.client)
        client_begin(reader);
    heddle_quiesce();
    check_invariants(nodes);
    heddle_actors_stop();
    return 0;
}
