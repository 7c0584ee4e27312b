/* SPDX-License-Identifier: BSD-2-Clause
 *
 * platform.h - a platform for replicated services at the size of the published model (P. Thomson's thesis, Imperial College London,
 * 2016, chapter 6): what its interface lets a service see, and a shopping list as a service.  ../replicated is a small version of it.
 *
 * A machine runs one replica: an actor for the service, one for its state (the provider), one that guards the state (the monitor),
 * wrappers that call the first two for the runtime, and a task for everything that the service begins.  All of them end when the machine
 * crashes.  The runtime numbers operations; secondaries pull them from a stream, apply and acknowledge them; when enough have, the primary
 * applies them too and answers the client.  A new secondary says what it has (its copy context); the primary gives it what is
 * missing, or all of its state if the secondary has operations that are not in the history of the primary (false progress).  When the
 * primary dies, an active secondary takes its place after it has got all operations; those that still copy are started anew.
 *
 * -DBUG=n builds one of the mistakes below.  The first 15 have the names of the thesis, and there the number n - 1. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <heddle/actor.h>

enum bug {
    NONE,
    BAD_ASSERT,               /* the runtime believes that only a living primary replicates */
    ENDPOINT_TOO_EARLY,       /* the client learns of a new primary that does not know yet that it is one */
    PROMOTE_IMMEDIATELY,      /* a new primary has not got all operations */
    PROMOTE_BAD_FIX,          /* it has got those that were committed when the old one died */
    EPOCH_TOO_EARLY,          /* a secondary hears of a new epoch before it has applied the operations of the old one */
    BLOCK_FOR_NEXT_ID,        /* primary and runtime wait for each other's answers */
    COPY_STREAM_NULL,         /* a secondary asks for a copy before there is one */
    ACTIVE_CANCELLED,         /* the copy of an active secondary, done long ago, is cancelled */
    IDLE_CANCELLED,           /* a copy that is cancelled looks as if it were done */
    CREATE_LIST_KEPT,         /* replicas that were created are created again */
    REPLICATE_WITHOUT_MUTEX,  /* two requests for one item do not see each other */
    COPY_WITHOUT_WAITING,     /* a copy lacks operations that are on their way */
    COMMIT_AT_ONCE,           /* the primary applies operations in the order of their acknowledgements */
    COMMIT_AT_ONCE_UNCHECKED, /* the same, without an assertion there */
    DUPLICATE_REQUESTS,       /* the client sends each request twice */
    FALSE_PROGRESS_UNSEEN,    /* a secondary keeps operations that the primary never had */
    DATA_LOSS_UNTOLD,         /* the client is not told that acknowledged operations are gone */
};
#ifndef BUG
#define BUG NONE
#endif

enum { REPLICAS = 3, ITEMS = 6, OPERATIONS = 2 * ITEMS, LIVES = 16, EPOCHS = 16 };
enum role { ABSENT, BOOTING, IDLE, ACTIVE, PRIMARY };

/* Which replica: its place, and a number that no other one has. */
struct who {
    int place, life;
};

/* list.items[k] is the operation at position k + 1. */
struct list {
    int count, items[OPERATIONS];
};

/* What a secondary has before it copies, and the state of a primary: operations up to `applied`, the last in this epoch. */
struct context {
    int epoch, applied;
};

/* CONTEXT: position is the epoch, item what is applied.  BEGIN: the copy continues after this position.  END: the copy ends with this
 * position; item is the epoch. */
enum kind { CONTEXT, BEGIN, ITEM, END };
struct element {
    enum kind kind;
    int position, item;
};

#define READER(I, MESSAGE, REQUEST) MESSAGE(I, got, (struct element, e))
HEDDLE_INTERFACE(reader, READER);

/* A stream is pulled: who asks gets the next element, or the end of the stream as often as it asks. */
#define STREAM(I, MESSAGE, REQUEST)              \
    MESSAGE(I, put, (struct element, e))         \
    MESSAGE(I, end, (int, position), (int, epoch)) \
    MESSAGE(I, get_next, (reader, to))
HEDDLE_INTERFACE(stream, STREAM);

#define MONITOR(I, MESSAGE, REQUEST)                                   \
    REQUEST(I, lock, int)                                              \
    REQUEST(I, wait, int) /* unlocks, waits for a pulse, locks again */ \
    MESSAGE(I, pulse)                                                  \
    MESSAGE(I, unlock)
HEDDLE_INTERFACE(monitor, MONITOR);

enum look { MISSING, EXPECTED, PRESENT };
struct seen {
    enum look look;
    int epoch;
};

#define PROVIDER(I, MESSAGE, REQUEST)                                  \
    REQUEST(I, last_committed, int)                                    \
    REQUEST(I, update_epoch, int, (int, epoch), (int, position))       \
    REQUEST(I, on_data_loss, int)                                      \
    MESSAGE(I, get_copy_context, (stream, to))                         \
    MESSAGE(I, get_copy_state, (stream, to), (stream, context), (int, position)) \
    REQUEST(I, copy_start, int, (struct context, of), (int, position)) /* of this class; the service's own from here on */ \
    REQUEST(I, read, struct list)                                      \
    REQUEST(I, look, struct seen, (int, item))                         \
    MESSAGE(I, expect, (int, item))                                    \
    REQUEST(I, apply, int, (int, position), (int, item))               \
    REQUEST(I, copy, int, (struct element, e))
HEDDLE_INTERFACE(provider, PROVIDER);

#define REPLICA(I, MESSAGE, REQUEST)                                                 \
    REQUEST(I, open, int)                                                            \
    REQUEST(I, change_role, int, (enum role, role), (stream, copy), (stream, operations)) \
    REQUEST(I, progress, int)                                                        \
    MESSAGE(I, copy_cancelled)                                                       \
    MESSAGE(I, add, (int, item), (int, attempt))
HEDDLE_INTERFACE(replica, REPLICA);

#define SERVICE_WRAPPER(I, MESSAGE, REQUEST) \
    MESSAGE(I, open)                         \
    MESSAGE(I, change_role, (enum role, role), (stream, copy), (stream, operations))
HEDDLE_INTERFACE(service_wrapper, SERVICE_WRAPPER);

#define STATE_WRAPPER(I, MESSAGE, REQUEST)                    \
    MESSAGE(I, update_epoch, (int, epoch), (int, position))   \
    MESSAGE(I, data_loss)
HEDDLE_INTERFACE(state_wrapper, STATE_WRAPPER);

struct parts {
    struct who who;
    replica replica;
    provider provider;
    monitor monitor;
    service_wrapper service;
    state_wrapper state;
};

struct place_of { /* of an operation; position -1: the replica is no primary any more */
    int position, epoch;
};

#define RUNTIME(I, MESSAGE, REQUEST)                                                     \
    MESSAGE(I, begin)                                                                    \
    MESSAGE(I, up, (struct parts, parts))                                                \
    MESSAGE(I, opened, (struct who, from), (int, applied))                               \
    MESSAGE(I, updated, (struct who, from), (int, epoch))                                \
    MESSAGE(I, leads, (struct who, from))                                                \
    MESSAGE(I, copied, (struct who, from))                                               \
    REQUEST(I, replicate, struct place_of, (struct who, who), (int, item))               \
    MESSAGE(I, acknowledge, (struct who, from), (int, position))                         \
    MESSAGE(I, create_next)                                                              \
    MESSAGE(I, kill_primary)                                                             \
    MESSAGE(I, power_failure)                                                            \
    REQUEST(I, next_id, int)
HEDDLE_INTERFACE(runtime, RUNTIME);

#define MACHINE(I, MESSAGE, REQUEST) \
    MESSAGE(I, on, (int, life))      \
    MESSAGE(I, off)
HEDDLE_INTERFACE(machine, MACHINE);

/* Knows at which replica the service is to be reached. */
#define RESOLVER(I, MESSAGE, REQUEST)                                     \
    MESSAGE(I, publish, (replica, primary), (int, epoch), (int, lost))    \
    REQUEST(I, find, replica)
HEDDLE_INTERFACE(resolver, RESOLVER);

#define CLIENT(I, MESSAGE, REQUEST)                                   \
    MESSAGE(I, connected, (int, epoch), (int, lost))                  \
    MESSAGE(I, added, (int, item), (int, attempt), (int, epoch))      \
    MESSAGE(I, time_out)
HEDDLE_INTERFACE(client, CLIENT);

/* How much happens in an execution; see main.c. */
struct settings {
    int replicas, items, kills, retries, disk, power;
};

/* The state of a provider. */
struct store {
    struct parts parts;
    struct list list;
    int applied, epoch;
    int ends[EPOCHS]; /* where an epoch ended; -1: not known */
    int expected[ITEMS + 1], copiers, copied;
};

extern struct settings settings;
extern runtime the_runtime;
extern resolver the_resolver;
extern client the_client;

void client_new(void);
void runtime_new(void);
int runtime_has(struct who who); /* at the end: does it live? */
/* These functions return what they make by a pointer: gcc does not tell Heddle that it stores a structure that a call returns. */
void machine_new(int place, machine *made);
void stream_new(const char *name, stream *made);

/* The actors of a replica; `o` names their node. */
void monitor_new(struct who who, const heddle_actor_options *o, monitor *made);
void provider_new(struct who who, const heddle_actor_options *o, provider *made);
const struct store *provider_state(int life); /* null: there were fewer */
void replica_new(struct who who, const heddle_actor_options *o, replica *made);
/* After the others, whom these call. */
void wrappers_new(struct parts *parts, const heddle_actor_options *o);
/* Tells the actors of a replica of each other, before they get messages. */
void provider_meets(const struct parts *parts);
void replica_meets(const struct parts *parts);
/* A task that gives a copy. */
void copier_new(const struct parts *parts, stream to, stream context, int position);

#endif
