/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.c - stable storage of a node.  A write and a sync are separate steps, so that a crash can come in between.
 * Reads return the last written value, synced or not. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "actor/node.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all stores; not needed under Heddle */

/* Announces a change of the store.  Returns the node of the running actor; null if it has none or the node has
 * crashed. */
static struct heddle_node *node_of_caller(const char *what)
{
    struct heddle_cell_ *c = heddle_self().cell;

    if (c->node == NULL || !ha_lives(c) || !ha_may(c, &c->node->stored, what))
        return NULL;
    return c->node;
}

static struct ha_stored *entry_of(struct heddle_node *node, const char *key)
{
    struct ha_stored *e = node->stored;

    while (e != NULL && strcmp(e->key, key) != 0)
        e = e->next;
    return e;
}

static void forget_written(struct ha_stored *e)
{
    if (e->written != e->synced)
        free(e->written);
    e->written = NULL;
}

void heddle_store_write(const char *key, const void *value, size_t size)
{
    struct heddle_node *node = node_of_caller("write");
    struct ha_stored *e;

    if (node == NULL)
        return;
    ha_lock(&lock);
    e = entry_of(node, key);
    if (e == NULL) {
        e = ha_allocate(sizeof *e + strlen(key) + 1);
        *e = (struct ha_stored){ .next = node->stored };
        e->key = strcpy((char *)(e + 1), key);
        node->stored = e;
    }
    forget_written(e);
    e->written = memcpy(ha_allocate(size + 1), value, size);
    e->written_size = size;
    ha_unlock(&lock);
}

void heddle_store_sync(void)
{
    struct heddle_node *node = node_of_caller("sync");

    if (node == NULL)
        return;
    ha_lock(&lock);
    for (struct ha_stored *e = node->stored; e != NULL; e = e->next) {
        if (e->written == e->synced)
            continue;
        free(e->synced);
        e->synced = e->written;
        e->synced_size = e->written_size;
    }
    ha_unlock(&lock);
}

size_t heddle_store_read(const char *key, void *value, size_t size)
{
    struct heddle_node *node = node_of_caller("read");
    struct ha_stored *e;
    size_t found = 0;

    if (node == NULL)
        return 0;
    ha_lock(&lock);
    e = entry_of(node, key);
    if (e != NULL && e->written != NULL) {
        found = e->written_size;
        memcpy(value, e->written, found < size ? found : size);
    }
    ha_unlock(&lock);
    return found;
}

void ha_store_lose(struct heddle_node *node)
{
    ha_lock(&lock);
    for (struct ha_stored *e = node->stored; e != NULL; e = e->next) {
        forget_written(e);
        e->written = e->synced;
        e->written_size = e->synced_size;
    }
    ha_unlock(&lock);
}
