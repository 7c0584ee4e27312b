/* SPDX-License-Identifier: BSD-2-Clause
 *
 * node.h - the fields of a node, for node.c, store.c and network.c. */
#ifndef HEDDLE_ACTOR_NODE_H
#define HEDDLE_ACTOR_NODE_H

#include "actor/cell.h"

struct ha_stored {
    struct ha_stored *next;
    char *key;
    void *synced, *written; /* value after the last sync, and value after the last write; null: none */
    size_t synced_size, written_size;
};

struct heddle_node {
    _Atomic uint32_t epoch;  /* number of crashes */
    _Atomic uint32_t cut_off; /* a partition has cut it off from the other nodes */
    const char *name;
    void (*boot)(void *);
    void *context;
    heddle_ref *actors; /* the actors that were created in this epoch */
    size_t nactors, room;
    struct ha_stored *stored;
};

void ha_store_lose(struct heddle_node *node); /* discards values that were not synced */

#endif
