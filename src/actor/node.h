/* SPDX-License-Identifier: BSD-2-Clause
 *
 * node.h - the inside of a node, for node.c, store.c and network.c. */
#ifndef HEDDLE_ACTOR_NODE_H
#define HEDDLE_ACTOR_NODE_H

#include "actor/cell.h"

struct ha_stored {
    struct ha_stored *next;
    char *key;
    void *synced, *written; /* null: no value; written is the same as synced, or younger */
    size_t synced_size, written_size;
};

struct heddle_node {
    _Atomic uint32_t epoch;  /* number of crashes */
    _Atomic uint32_t cut_off; /* from the other nodes: a partition */
    const char *name;
    void (*boot)(void *);
    void *context;
    heddle_ref *actors; /* of this epoch */
    size_t nactors, room;
    struct ha_stored *stored;
};

void ha_store_lose(struct heddle_node *node); /* what was not synced */

#endif
