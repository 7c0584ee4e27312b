/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nodes.c - a client on one node sends 1 and then 2 to a register on another, which stores each value.  Both tell main what they do,
 * and main judges when all is quiet.  The argument says what is right:
 *   synced    what was stored is there after a crash: the register syncs before it says so
 *   unsynced  the same, but the register does not sync
 *   order     2 never arrives before 1
 *   twice     no number arrives twice
 *   lost      both arrive */
#include <string.h>

#include <heddle/actor.h>
#include <heddle/heddle.h>

enum event { ARRIVED, STORED, RECOVERED };

#define JUDGE(I, MESSAGE, REQUEST) MESSAGE(I, told, (int, event), (int, value))
HEDDLE_INTERFACE(judge, JUDGE);
#define REGISTER(I, MESSAGE, REQUEST) MESSAGE(I, set, (int, value))
HEDDLE_INTERFACE(cell, REGISTER);
#define CLIENT(I, MESSAGE, REQUEST) MESSAGE(I, go)
HEDDLE_INTERFACE(client, CLIENT);

static const char *what;
static judge judges;

static int asked(const char *of)
{
    return strcmp(what, of) == 0;
}

struct reg {
    int unused;
};
static void reg_begin(void *self)
{
    int value = 0;

    (void)self;
    heddle_store_read("value", &value, sizeof value);
    judge_told(judges, RECOVERED, value);
}
HEDDLE_IMPLEMENT(cell, REGISTER, reg, .begin = reg_begin);

static void reg_set(struct reg *self, int value)
{
    (void)self;
    judge_told(judges, ARRIVED, value);
    heddle_store_write("value", &value, sizeof value);
    if (asked("synced"))
        heddle_store_sync();
    judge_told(judges, STORED, value);
}

struct user {
    int unused;
};
HEDDLE_IMPLEMENT(client, CLIENT, user);

static void user_go(struct user *self)
{
    (void)self;
    cell_set(cell_of(heddle_find("register")), 1);
    if (!asked("synced") && !asked("unsynced"))
        cell_set(cell_of(heddle_find("register")), 2);
}

static void boot_register(void *state)
{
    heddle_actor_options o = { .name = "register", .published = 1 };

    reg_create_with(state, &o);
}

static void boot_client(void *state)
{
    client_go(user_create(state));
}

static void judge_all(void)
{
    int arrived[3] = { 0 }, stored = 0;
    heddle_message *m;

    while ((m = heddle_poll(0, 0)) != 0) {
        struct judge_told_message t = *(struct judge_told_message *)(void *)m;

        heddle_message_free(m);
        if (t.event == ARRIVED) {
            heddle_assert(!asked("order") || t.value == 2 || arrived[2] == 0);
            arrived[t.value]++;
        }
        if (t.event == STORED)
            stored = t.value;
        if (t.event == RECOVERED)
            heddle_assert(t.value >= stored);
    }
    heddle_assert(!asked("twice") || (arrived[1] < 2 && arrived[2] < 2));
    heddle_assert(!asked("lost") || (arrived[1] != 0 && arrived[2] != 0));
}

int main(int argc, char **argv)
{
    static struct user user;
    static struct reg reg;
    heddle_node *server;

    what = argc > 1 ? argv[1] : "lost";
    judges = judge_of(heddle_self());
    server = heddle_node_new("server", boot_register, &reg);
    heddle_message_free(heddle_receive(0, 0)); /* the register is there, and can be found */
    heddle_node_new("client", boot_client, &user);
    heddle_quiesce();
    if (argc > 2) { /* a crash that the program makes itself */
        heddle_node_crash(server);
        heddle_node_restart(server);
        heddle_quiesce();
    }
    judge_all();
    heddle_actors_stop();
    return 0;
}
