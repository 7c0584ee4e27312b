/* SPDX-License-Identifier: BSD-2-Clause
 *
 * client.c - the client, its attempts, and the resolver, which stands for the network. */
#include <assert.h>

#include "platform.h"

/* ---- where the service is ---------------------------------------------------------------------------- */

struct address {
    replica primary;
};
HEDDLE_IMPLEMENT(resolver, RESOLVER, address);

static void address_publish(struct address *a, replica primary, int epoch, int lost)
{
    a->primary = primary;
    client_connected(the_client, epoch, lost);
}

static void address_find(struct address *a, resolver_find_request from)
{
    resolver_find_reply(from, a->primary);
}

/* ---- attempts: a task each --------------------------------------------------------------------------- */

#define ATTEMPT(I, MESSAGE, REQUEST) MESSAGE(I, go, (int, item), (int, number))
HEDDLE_INTERFACE(attempt, ATTEMPT);
struct trial {
    int unused;
};
HEDDLE_IMPLEMENT(attempt, ATTEMPT, trial);
static struct trial trial;

static void trial_go(struct trial *self, int item, int number)
{
    replica primary;

    (void)self;
    if (resolver_find(the_resolver, &primary) != 0)
        return;
    replica_add(primary, item, number);
    if (BUG == DUPLICATE_REQUESTS)
        replica_add(primary, item, number);
}

/* ---- the client -------------------------------------------------------------------------------------- */

/* Adds the items 1, 2, …; sends those that are not answered again when there is a new primary, and when its patience ends. */
struct customer {
    int connected, since; /* answers of epochs before `since` are of data that was lost */
    int done[ITEMS + 1], attempts, answered[ITEMS * LIVES];
};
HEDDLE_IMPLEMENT(client, CLIENT, customer);

static void ask(struct customer *c)
{
    for (int item = 1; item <= settings.items; item++)
        if (!c->done[item])
            attempt_go(trial_create(&trial), item, ++c->attempts);
}

static void customer_connected(struct customer *c, int epoch, int lost)
{
    c->connected = 1;
    if (lost && BUG != DATA_LOSS_UNTOLD) {
        c->since = epoch;
        for (int item = 1; item <= settings.items; item++)
            c->done[item] = 0;
    }
    ask(c);
}

static void customer_added(struct customer *c, int item, int number, int epoch)
{
    assert(!c->answered[number] && "an attempt is answered once");
    c->answered[number] = 1;
    if (epoch >= c->since)
        c->done[item] = 1;
}

static void customer_time_out(struct customer *c)
{
    if (c->connected)
        ask(c);
}

void client_new(void)
{
    static struct customer customer;
    static struct address address;

    the_client = customer_create(&customer);
    the_resolver = address_create(&address);
}
