/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late.c - a client sends 150 messages to a server on another node; it fails if the one with the number in the argument is lost
 * (from 1).  Samplers find the last one as soon as the first, since they draw the moment of a loss from all messages. */
#include <stdlib.h>

#include <heddle/actor.h>
#include <heddle/heddle.h>

enum { MESSAGES = 150 };

#define SERVER(I, MESSAGE, REQUEST) MESSAGE(I, put, (int, number))
HEDDLE_INTERFACE(server, SERVER);
struct table {
    int got[MESSAGES + 1];
};
HEDDLE_IMPLEMENT(server, SERVER, table);

static void table_put(struct table *self, int number)
{
    self->got[number]++;
}

#define CLIENT(I, MESSAGE, REQUEST) MESSAGE(I, go, (server, to))
HEDDLE_INTERFACE(client, CLIENT);
struct user {
    int unused;
};
HEDDLE_IMPLEMENT(client, CLIENT, user);

static void user_go(struct user *self, server to)
{
    (void)self;
    for (int i = 1; i <= MESSAGES; i++)
        server_put(to, i);
}

static void boot(void *unused)
{
    (void)unused;
}

int main(int argc, char **argv)
{
    static struct table table;
    static struct user user;
    heddle_actor_options here = { .node = heddle_node_new("here", boot, 0) }, there = { .node = heddle_node_new("there", boot, 0) };
    int needed = argc > 1 ? atoi(argv[1]) : 1;

    client_go(user_create_with(&user, &here), table_create_with(&table, &there));
    heddle_quiesce();
    heddle_assert(table.got[needed] == 1);
    return 0;
}
