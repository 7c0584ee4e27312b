/* SPDX-License-Identifier: BSD-2-Clause
 *
 * node.c - nodes: a node is a group of actors that fail together.
 *
 * N1  A crash is one step that increments the epoch of the node.  Afterwards an actor of an older epoch has no effect:
 *     each effect is a step that also reads the epoch, and is omitted if the actor's epoch is older.
 * N2  The crash then sends a message to each actor of the old epoch, so that it ends.  By N1 it makes no difference
 *     whether the actor takes other messages first.
 * N3  Under Heddle each node has a thread that decides, at its beginning, whether the node crashes (a choice of
 *     --faults crash=N), and then crashes and restarts it. The scheduler decides when. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "actor/node.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the lists of all nodes; not needed under Heddle */

bool ha_lives(struct heddle_cell_ *c)
{
    return !c->crashed;
}

/* True if the actor's node has not crashed.  Call directly after an announced operation that reads the epoch. */
bool ha_outlives(struct heddle_cell_ *c)
{
    if (c->node != NULL && !c->crashed && atomic_load(&c->node->epoch) != c->epoch) {
        c->crashed = true;
        c->reason = HEDDLE_CRASHED;
    }
    return !c->crashed;
}

bool ha_may(struct heddle_cell_ *c, const void *shared, const char *what)
{
    if (c->node == NULL || c->what == NULL)
        ha_exec->writes(shared);
    else
        ha_exec->affects(shared, c->node, what);
    return ha_outlives(c);
}

/* ---- the actors of a node ------------------------------------------------------------------------------ */

/* Removes actors that have ended. */
static void tidy(struct heddle_node *node)
{
    size_t kept = 0;

    for (size_t i = 0; i < node->nactors; i++)
        if (atomic_load(&node->actors[i].cell->life) == node->actors[i].life)
            node->actors[kept++] = node->actors[i];
    node->nactors = kept;
}

static void make_room(struct heddle_node *node)
{
    if (node->nactors == node->room)
        tidy(node);
    if (node->nactors * 2 < node->room)
        return;
    size_t room = node->room == 0 ? 8 : 2 * node->room;
    heddle_ref *more = ha_allocate(room * sizeof *more);

    if (node->nactors != 0)
        memcpy(more, node->actors, node->nactors * sizeof *more);
    free(node->actors);
    node->actors = more;
    node->room = room;
}

/* Adds the actor to its node.  Returns false if its parent is an actor of the node and has crashed with it. */
bool ha_node_join(struct heddle_cell_ *c, struct heddle_cell_ *parent)
{
    struct heddle_node *node = c->node;

    ha_exec->looks(node);
    if (parent->node == node && parent->what != NULL && !ha_outlives(parent))
        return false;
    ha_lock(&lock);
    c->epoch = atomic_load(&node->epoch);
    make_room(node);
    node->actors[node->nactors++] = ha_ref(c);
    ha_unlock(&lock);
    return true;
}

/* Sorted, because the effects of a crash must not depend on the order in which concurrent threads have created the
 * actors. */
static int by_address(const void *a, const void *b)
{
    const heddle_ref *x = a, *y = b;

    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static heddle_ref *take_actors(struct heddle_node *node, size_t *n)
{
    heddle_ref *actors;

    ha_lock(&lock);
    actors = node->actors;
    *n = node->nactors;
    node->actors = NULL;
    node->nactors = node->room = 0;
    ha_unlock(&lock);
    if (*n != 0)
        qsort(actors, *n, sizeof *actors, by_address);
    return actors;
}

void heddle_node_crash(heddle_node *node)
{
    static const heddle_message_type crash_type = { "heddle", "crash" };
    size_t n;

    if (ha_current != NULL && !ha_lives(ha_current))
        return;
    ha_exec->strikes(node);
    atomic_fetch_add(&node->epoch, 1);
    ha_store_lose(node);
    heddle_ref *actors = take_actors(node, &n);

    for (size_t i = 0; i < n; i++) {
        heddle_message *m = heddle_message_new(&crash_type, 0, sizeof *m);

        m->flags_ = HA_CRASH;
        ha_send(actors[i], m);
    }
    free(actors);
}

/* ---- start ------------------------------------------------------------------------------------------------ */

static void boot_begin(void *state)
{
    heddle_node *node = state;

    if (node->boot != NULL)
        node->boot(node->context);
    heddle_fail(1); /* ends the actor; nobody uses the reason */
}

static void boot_act(void *state, heddle_message *m)
{
    (void)state;
    (void)m;
}

void heddle_node_restart(heddle_node *node)
{
    static const heddle_behaviour boot = { .name = "boot", .act = boot_act, .begin = boot_begin };
    heddle_actor_options o = { .name = node->name, .node = node };

    if (ha_current == NULL || ha_lives(ha_current))
        heddle_create(&boot, node, &o);
}

heddle_node *heddle_node_new(const char *name, void (*boot)(void *), void *context)
{
    heddle_node *node = ha_allocate(sizeof *node + strlen(name) + 1);

    ha_started();
    memset(node, 0, sizeof *node);
    node->name = strcpy((char *)(node + 1), name);
    node->boot = boot;
    node->context = context;
    heddle_node_restart(node);
    ha_exec->node(node); /* from here on it can crash, but not before its first start */
    return node;
}

heddle_node *heddle_node_self(void)
{
    return ha_current != NULL ? ha_current->node : NULL;
}

const char *heddle_node_name(const heddle_node *node)
{
    return node != NULL ? node->name : "";
}
