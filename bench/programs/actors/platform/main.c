/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c - what happens to the platform from outside, and the comparison of the replicas at the end.
 *
 *     platform [replicas=N] [items=N] [kills=N] [retries=N] [disk=1] [power=N]
 *
 * Without arguments: 3 replicas, 3 items, 1 kill, 2 retries, the size of the published model.  disk=1: a replica that is started anew
 * has what its machine had saved.  power=N: so often all machines lose power at once. */
#include <assert.h>

#include "../options.h"
#include "platform.h"

struct settings settings = { .replicas = 3, .items = 3, .kills = 1, .retries = 2 };
runtime the_runtime;
resolver the_resolver;
client the_client;

static void nothing(void *unused, heddle_message *m)
{
    (void)unused, (void)m;
}

/* Each of these sends its messages at any time with respect to those of others. */
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

static void cut_power(void *unused)
{
    (void)unused;
    for (int i = 0; i < settings.power; i++)
        runtime_power_failure(the_runtime);
}

static const heddle_behaviour killer = { .name = "killer", .act = nothing, .begin = kill_primaries };
static const heddle_behaviour impatience = { .name = "impatience", .act = nothing, .begin = lose_patience };
static const heddle_behaviour power = { .name = "power", .act = nothing, .begin = cut_power };

static void check_list(const struct list *l, const struct list *other)
{
    assert(l->count == settings.items && "each replica has all items, and each once");
    for (int k = 0; k < l->count; k++) {
        assert(l->items[k] == other->items[k] && "all replicas have the same list");
        for (int j = 0; j < k; j++)
            assert(l->items[k] != l->items[j] && "each replica has each item once");
    }
}

static void check_replicas(void)
{
    const struct store *first = 0, *s;
    int alive = 0;

    for (int i = 0; (s = provider_state(i)) != 0; i++) {
        if (!runtime_has(s->parts.who))
            continue;
        alive++;
        if (first == 0)
            first = s;
        check_list(&s->list, &first->list);
    }
    assert(alive == settings.replicas && "as many replicas as wanted are alive");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "replicas=", &settings.replicas, 2, REPLICAS }, { "items=", &settings.items, 1, ITEMS },
        { "kills=", &settings.kills, 0, 3 },              { "retries=", &settings.retries, 0, 9 },
        { "disk=", &settings.disk, 0, 1 },                { "power=", &settings.power, 0, 2 },
    };

    for (int i = 1; i < argc; i++)
        option_set(options, sizeof options / sizeof options[0], argv[i]);
    client_new();
    runtime_new();
    runtime_begin(the_runtime);
    if (settings.kills > 0)
        heddle_create(&killer, 0, 0);
    if (settings.retries > 0)
        heddle_create(&impatience, 0, 0);
    if (settings.power > 0)
        heddle_create(&power, 0, 0);
    heddle_quiesce();
    check_replicas();
    heddle_actors_stop();
    return 0;
}
