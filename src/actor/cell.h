/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cell.h - the inside of the library: the cell of an actor, and the executor that runs it.
 *
 * A cell is a mailbox and the actor behind it, or the thread that owns it.  Everything in it but what is atomic belongs
 * to its owner: the thread that runs the actor at the moment.  Cells are never given back to the system, so that a
 * reference can always be followed; in production the cell of an actor that has ended is used again, with another
 * number of its life. */
#ifndef HEDDLE_ACTOR_CELL_H
#define HEDDLE_ACTOR_CELL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <heddle/actor.h>

/* Flags of a message. */
enum {
    HA_STOP = 1,
    HA_KILL = 2,
    HA_CRASH = 4,
    HA_WATCH = 8,   /* the sender wants to know of the end */
    HA_JOIN = 16,   /* the same, as the answer of a request */
    HA_DOWN = 32,
    HA_ANSWER = 64,
    HA_FAILED = 128, /* an answer that only says that there will be none */
    HA_TIMER = 256,  /* sent by an alarm */
    HA_SYSTEM = HA_STOP | HA_KILL | HA_CRASH | HA_WATCH | HA_JOIN
};

/* What inbox holds when it holds no message. */
#define HA_EMPTY ((heddle_message *)0)   /* the owner runs, or is going to */
#define HA_IDLE ((heddle_message *)1)    /* the actor does not run: a sender must schedule it */
#define HA_BLOCKED ((heddle_message *)2) /* the owner waits: a sender must wake it */
#define HA_CLOSED ((heddle_message *)3)  /* there is no owner */

struct heddle_cell_ {
    _Atomic(heddle_message *) inbox; /* the youngest first */
    _Atomic uint32_t life;   /* HA_THREAD is set in it for the mailbox of a thread */
    _Atomic uint32_t queued; /* bounded mailboxes: messages in it */
    _Atomic uint32_t capacity;
    heddle_message *batch;   /* taken out of inbox, the oldest first */
    heddle_message *stash, **stash_end; /* older than those: looked at, and left for later */
    const heddle_behaviour *what; /* null: the mailbox of a thread */
    void *state;
    struct heddle_cell_ *next; /* in a queue of the pool, or free */
    sem_t *waiter;           /* HA_BLOCKED: wakes the owner */
    struct ha_watcher *watchers;
    heddle_message *current; /* of the running action, which frees it; null: kept */
    heddle_node *node;
    uint32_t epoch; /* of the node, when the actor was created */
    uint64_t random, children, requests;
    char *name;
    /* Under Heddle: */
    char *places; /* addresses that stand for the messages in the mailbox */
    uint32_t put, taken;
    struct ha_timer *timers; /* threads for the alarms that this actor arms */
    int reason;
    _Atomic int last_reason; /* of the life before */
    bool begun;
    bool ends;      /* after the running action */
    bool crashed;   /* nothing that it does has an effect any more */
    bool published;
    struct heddle_cell_ *all_next; /* all cells; never changes */
};

/* The number of a life: each is HA_LIFE more than the one before. */
enum { HA_THREAD = 1, HA_LIFE = 2 };

static inline uint32_t ha_life(struct heddle_cell_ *c)
{
    return atomic_load_explicit(&c->life, memory_order_relaxed);
}

static inline heddle_ref ha_ref(struct heddle_cell_ *c)
{
    return (heddle_ref){ .cell = c, .life = ha_life(c) };
}

/* What runs actors: a pool of threads, or Heddle. */
struct ha_executor {
    void (*start)(unsigned workers);
    void (*stop)(void);
    void (*launch)(struct heddle_cell_ *c);  /* a new actor: ha_begin, then ha_act for each message */
    void (*created)(struct heddle_cell_ *c); /* before that: it is there, and not idle */
    void (*sends)(struct heddle_cell_ *c, const heddle_message *m); /* m is about to enter the mailbox */
    void (*sent)(struct heddle_cell_ *c);    /* ... has entered it */
    void (*ready)(struct heddle_cell_ *c);   /* an idle actor has a message */
    void (*wait)(struct heddle_cell_ *c);    /* returns when the mailbox of the caller is not empty */
    void (*wakes)(struct heddle_cell_ *c);   /* ends that wait */
    void (*looks)(const void *shared);       /* something depends on shared state */
    void (*writes)(const void *shared);      /* shared state changes */
    void (*affects)(const void *shared, struct heddle_node *node, const char *what); /* ... by an actor of a node */
    void (*strikes)(const void *shared);     /* ... by a failure */
    void (*counts)(int more);                /* +1: something is to be done, -1: it is done */
    void (*quiet)(void);
    void (*node)(struct heddle_node *n); /* a new node */
    bool (*partitions)(void);            /* may nodes be cut off? */
    void (*rings)(struct heddle_cell_ *c, const heddle_message *m); /* an actor takes the message of an alarm */
    void (*arm)(struct heddle_alarm_ *a);
    heddle_message *(*disarm)(struct heddle_alarm_ *a, uint64_t life); /* its message; null: it has expired */
};

extern const struct ha_executor ha_pool, ha_controlled;
extern const struct ha_executor *ha_exec; /* null before the start */
extern _Thread_local struct heddle_cell_ *ha_current;

/* Under Heddle no other thread runs between two announced operations: a lock would only order what need not be. */
static inline void ha_lock(pthread_mutex_t *lock)
{
    if (ha_exec != &ha_controlled)
        pthread_mutex_lock(lock);
}

static inline void ha_unlock(pthread_mutex_t *lock)
{
    if (ha_exec != &ha_controlled)
        pthread_mutex_unlock(lock);
}

/* start.c */
void *ha_allocate(size_t size);
void ha_started(void); /* starts the library, if it was not */
uint64_t ha_mix(uint64_t x);
uint64_t ha_seed(void);

/* life.c */
struct heddle_cell_ *ha_cell_new(const heddle_behaviour *what);
bool ha_begin(struct heddle_cell_ *c); /* both return false if the actor has ended */
bool ha_act(struct heddle_cell_ *c, heddle_message *m); /* one message */
void ha_kill_all(void);
bool ha_any_alive(void);

/* mailbox.c */
int ha_push(heddle_ref to, heddle_message *m, bool bounded);
void ha_send(heddle_ref to, heddle_message *m); /* ignores bounds */
void ha_set_sender(heddle_message *m);          /* the running actor, or the mailbox of the thread */
void ha_drop(heddle_message *m);                /* one that no actor takes */
heddle_message *ha_next(struct heddle_cell_ *c); /* the next message of the mailbox, null: none; never waits */
heddle_message *ha_unstash(struct heddle_cell_ *c); /* the next of those that were left for later */
bool ha_has_mail(struct heddle_cell_ *c);
heddle_message *ha_receive(int (*match)(const heddle_message *, void *), void *context, bool waits);

/* names.c, node.c, network.c */
void ha_publish(struct heddle_cell_ *c);
void ha_unpublish(struct heddle_cell_ *c);
bool ha_lives(struct heddle_cell_ *c); /* what the running actor does has an effect: neither was it killed, nor has its node crashed
                                        * as far as it knows */
bool ha_may(struct heddle_cell_ *c, const void *shared, const char *what); /* its turn to change shared state: may it? */
bool ha_outlives(struct heddle_cell_ *c);
bool ha_node_join(struct heddle_cell_ *c, struct heddle_cell_ *parent); /* a new actor of its node */
int ha_transmit(heddle_ref to, heddle_message *m); /* ha_push, over the network if `to` is on another node */

/* timer.c */
struct heddle_alarm_ {
    heddle_ref to;
    heddle_message *message;
    uint64_t delay;             /* nanoseconds */
    uint64_t when;              /* the pool: nanoseconds of CLOCK_MONOTONIC */
    _Atomic uint64_t life;      /* odd: armed; one more when it expires or is disarmed */
    struct heddle_alarm_ *next; /* free */
    size_t at;                  /* its place in the heap of the pool */
    bool courier;               /* a delayed message: no timer of the program */
};
heddle_timer ha_alarm_new(heddle_ref to, heddle_message *m, uint64_t nanoseconds, bool courier);
void ha_alarm_expired(struct heddle_alarm_ *a); /* sends its message; the life has ended before */
void ha_alarm_dropped(struct heddle_alarm_ *a); /* does not */

#endif
