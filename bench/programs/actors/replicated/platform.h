/* SPDX-License-Identifier: BSD-2-Clause
 *
 * platform.h - a small platform for replicated services; ../platform has all of the interface.  It is modelled by what its interface
 * lets a service see, after chapter 6 of P. Thomson's thesis (Imperial College London, 2016): a runtime with its replicator,
 * replicas of a shopping list, a client that tries again, and a killer of primaries.
 *
 * The primary makes an operation of each request.  The runtime numbers it, secondaries pull it, apply and acknowledge it; when enough
 * have, the primary applies it too and answers the client.  A new secondary first pulls a copy of the primary's state.  When the primary
 * dies, an active secondary takes its place after it has got all operations; secondaries that still copy are started anew.
 *
 * -DBUG=n builds one of the mistakes below, which have the names of the thesis, and there the number n - 1. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <heddle/actor.h>

enum bug {
    NONE,
    BAD_ASSERT,                 /* the runtime believes that only a living primary replicates */
    ENDPOINT_TOO_EARLY,         /* the client learns of a new primary that does not know yet that it is one */
    PROMOTE_IMMEDIATELY,        /* a new primary has not got all operations */
    PROMOTE_BAD_FIX,            /* it has got those that were committed when the old one died */
    EPOCH_TOO_EARLY,            /* a secondary hears of a new epoch before it has applied the operations of the old one */
    BLOCK_FOR_NEXT_ID,          /* primary and runtime wait for each other's answers */
    COPY_STREAM_NULL,           /* a secondary asks for a copy before there is one */
    ACTIVE_CANCELLED,           /* the copy of an active secondary, done long ago, is cancelled */
    IDLE_CANCELLED,             /* a copy that is cancelled looks as if it were done */
    CREATE_LIST_KEPT,           /* replicas that were created are created again */
    REPLICATE_WITHOUT_MUTEX,    /* two requests for one item do not see each other */
    COPY_WITHOUT_WAITING,       /* a copy lacks operations that are on their way */
    COMMIT_AT_ONCE,             /* the primary applies operations in the order of their acknowledgements */
    COMMIT_AT_ONCE_UNCHECKED,   /* the same, without an assertion there */
    DUPLICATE_REQUESTS,         /* the client sends each request twice */
};
#ifndef BUG
#define BUG NONE
#endif

enum { REPLICAS = 3, ITEMS = 6, OPERATIONS = 2 * ITEMS, LIVES = 16 };

struct list {
    int count, items[OPERATIONS];
};

enum role { ABSENT, IDLE, ACTIVE, PRIMARY };

/* Which replica, and which of those that had its place one after the other. */
struct who {
    int place, life;
};

#define REPLICA(I, MESSAGE, REQUEST)                                 \
    MESSAGE(I, begin)                                                \
    MESSAGE(I, lead, (int, epoch))                                   \
    MESSAGE(I, copy_item, (int, item))                               \
    MESSAGE(I, copy_end, (int, position))                            \
    MESSAGE(I, copy_cancelled)                                       \
    MESSAGE(I, operation, (int, position), (int, item))              \
    MESSAGE(I, acknowledged, (int, position), (int, item))           \
    MESSAGE(I, update_epoch, (int, epoch), (int, position))          \
    MESSAGE(I, get_copy_state, (struct who, target), (int, position)) \
    MESSAGE(I, add, (int, item), (int, attempt))                     \
    MESSAGE(I, replicate_item, (int, item))                          \
    REQUEST(I, last_committed, int)
HEDDLE_INTERFACE(replica, REPLICA);

#define RUNTIME(I, MESSAGE, REQUEST)                                             \
    MESSAGE(I, begin)                                                            \
    MESSAGE(I, replicate, (struct who, from), (int, item))                       \
    MESSAGE(I, copy_state, (struct who, from), (struct who, target), (struct list, list)) \
    MESSAGE(I, get_copy, (struct who, from))                                     \
    MESSAGE(I, get_operation, (struct who, from))                                \
    MESSAGE(I, acknowledge, (struct who, from), (int, position))                 \
    MESSAGE(I, leads, (struct who, from))                                        \
    MESSAGE(I, create_next)                                                      \
    MESSAGE(I, kill_primary)                                                     \
    REQUEST(I, next_id, int)
HEDDLE_INTERFACE(runtime, RUNTIME);

#define CLIENT(I, MESSAGE, REQUEST)                  \
    MESSAGE(I, endpoint, (replica, primary))         \
    MESSAGE(I, added, (int, item), (int, attempt))   \
    MESSAGE(I, time_out)
HEDDLE_INTERFACE(client, CLIENT);

/* How much happens in an execution; see main.c. */
struct settings {
    int replicas, items, kills, retries;
};

/* The state of a replica that lived.  Main looks at those that are alive at the end. */
struct service {
    struct who who;
    enum role role;
    int dead; /* the runtime has killed it */
    int epoch, applied;
    struct list list;
    int pending[ITEMS + 1];   /* requested and not yet applied */
    int attempt[ITEMS + 1];   /* the latest one, which is answered; 0: nobody waits */
    int early[OPERATIONS + 1]; /* items that are acknowledged before their turn, by position */
    struct who copy_target[LIVES];
    int copy_position[LIVES], copies; /* copies that wait until this position is applied */
};

extern struct settings settings;
extern runtime the_runtime;
extern client the_client;

/* Makes a replica and returns its state, which stays for ever. */
struct service *service_new(struct who who, replica *made);
struct service *service_at(int index); /* null: there were fewer */
void runtime_new(void);

#endif
