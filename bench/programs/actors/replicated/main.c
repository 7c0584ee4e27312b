/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c - the client, the killer, and the comparison of the replicas at the end.
 *
 *     replicated [replicas=N] [items=N] [kills=N] [retries=N]
 *
 * Without arguments: 3 replicas, 3 items, 1 kill, 2 retries. */
#include <assert.h>

#include "../options.h"
#include "platform.h"

struct settings settings = { .replicas = 3, .items = 3, .kills = 1, .retries = 2 };
runtime the_runtime;
client the_client;

/* Adds the items 1, 2, …; sends those that are not answered again when there is a new primary, and when its patience ends. */
struct customer {
    int connected;
    replica primary;
    int done[ITEMS + 1], attempts, answered[OPERATIONS * LIVES];
};
HEDDLE_IMPLEMENT(client, CLIENT, customer);

static void ask(struct customer *c)
{
    for (int item = 1; item <= settings.items; item++) {
        if (c->done[item])
            continue;
        replica_add(c->primary, item, ++c->attempts);
        if (BUG == DUPLICATE_REQUESTS)
            replica_add(c->primary, item, c->attempts);
    }
}

static void customer_endpoint(struct customer *c, replica primary)
{
    c->connected = 1;
    c->primary = primary;
    ask(c);
}

static void customer_added(struct customer *c, int item, int attempt)
{
    assert(!c->answered[attempt] && "an attempt is answered once");
    c->answered[attempt] = 1;
    c->done[item] = 1;
}

static void customer_time_out(struct customer *c)
{
    if (c->connected)
        ask(c);
}

/* Each sends its messages at any time with respect to those of others. */
static void nothing(void *unused, heddle_message *m)
{
    (void)unused, (void)m;
}

static void kill_primaries(void *unused)
{
    (void)unused;
    for (int i = 0; i < settings.kills; i++)
        runtime_kill_primary(the_runtime);
}

static void lose_patience(void *unused)
{
    (void)unused;
    for (int i = 0; i < settings.retries; i++)
        client_time_out(the_client);
}

static const heddle_behaviour killer = { .name = "killer", .act = nothing, .begin = kill_primaries };
static const heddle_behaviour impatience = { .name = "impatience", .act = nothing, .begin = lose_patience };

static void check_replicas(void)
{
    const struct service *first = 0, *s;
    int alive = 0;

    for (int i = 0; (s = service_at(i)) != 0; i++) {
        if (s->dead)
            continue;
        alive++;
        if (first == 0)
            first = s;
        assert(s->list.count == settings.items && "each replica has all items, and each once");
        for (int k = 0; k < s->list.count; k++) {
            assert(s->list.items[k] == first->list.items[k] && "all replicas have the same list");
            for (int j = 0; j < k; j++)
                assert(s->list.items[k] != s->list.items[j] && "each replica has each item once");
        }
    }
    assert(alive == settings.replicas && "as many replicas as wanted are alive");
}

int main(int argc, char **argv)
{
    static struct customer customer;
    static const struct option options[] = {
        { "replicas=", &settings.replicas, 2, REPLICAS },
        { "items=", &settings.items, 1, ITEMS },
        { "kills=", &settings.kills, 0, 3 },
        { "retries=", &settings.retries, 0, 9 },
    };

    for (int i = 1; i < argc; i++)
        option_set(options, sizeof options / sizeof options[0], argv[i]);
    the_client = customer_create(&customer);
    runtime_new();
    runtime_begin(the_runtime);
    if (settings.kills > 0)
        heddle_create(&killer, 0, 0);
    if (settings.retries > 0)
        heddle_create(&impatience, 0, 0);
    heddle_quiesce();
    check_replicas();
    heddle_actors_stop();
    return 0;
}
