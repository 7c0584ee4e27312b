/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cell.h - internal types of the library: the cell of an actor, and the executor that runs actors.
 *
 * A cell is a mailbox together with its actor or, for the mailbox of a thread, without one.  Its owner is the thread
 * that currently runs the actor or, if there is no actor, the thread to which the mailbox belongs.  Only the owner
 * accesses the fields that are not atomic.  Cells are never freed, so that every reference stays valid.  Without
 * Heddle, a new actor may use the cell of one that has ended; the number `life` tells them apart. */
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
    HA_WATCH = 8,   /* the sender wants to be informed when the receiver ends */
    HA_JOIN = 16,   /* like HA_WATCH, but the information is the answer to a request */
    HA_DOWN = 32,
    HA_ANSWER = 64,
    HA_FAILED = 128, /* answer: there will be no real answer */
    HA_TIMER = 256,  /* sent by a timer */
    HA_SYSTEM = HA_STOP | HA_KILL | HA_CRASH | HA_WATCH | HA_JOIN
};

/* Values of `inbox` if it contains no message. */
#define HA_EMPTY ((heddle_message *)0)   /* the owner runs or is about to run */
#define HA_IDLE ((heddle_message *)1)    /* the actor does not run: a sender must schedule it */
#define HA_BLOCKED ((heddle_message *)2) /* the owner waits: a sender must wake it */
#define HA_CLOSED ((heddle_message *)3)  /* there is no owner */

struct heddle_cell_ {
    _Atomic(heddle_message *) inbox; /* messages that other threads have added, the newest first */
    _Atomic uint32_t life;   /* number of this use of the cell; the bit HA_THREAD marks the mailbox of a thread */
    _Atomic uint32_t queued; /* for a bounded mailbox: number of messages in it */
    _Atomic uint32_t capacity;
    heddle_message *batch;   /* messages taken from inbox, the oldest first */
    heddle_message *stash, **stash_end; /* messages older than `batch` that heddle_receive has skipped */
    const heddle_behaviour *what; /* behaviour of the actor; null: the mailbox of a thread */
    void *state;
    struct heddle_cell_ *next; /* next cell in a queue of the pool, or in the list of unused cells */
    sem_t *waiter;           /* with HA_BLOCKED: semaphore that wakes the owner */
    struct ha_watcher *watchers;
    heddle_message *current; /* message of the running action, which frees it afterwards; null: the program keeps it */
    heddle_node *node;
    uint32_t epoch; /* epoch of the node when the actor was created */
    uint64_t random, children, requests;
    char *name;
    /* Under Heddle: */
    char *places; /* addresses that represent the messages in the mailbox (heddle/mail.h) */
    uint32_t put, taken;
    struct ha_timer *timers; /* threads that wait for the alarms of this actor */
    int reason;
    _Atomic int last_reason; /* reason why the previous actor in this cell ended */
    bool begun;
    bool ends;      /* the actor ends after the running action */
    bool crashed;   /* the actor has crashed or was killed: its further actions have no effect */
    bool published;
    struct heddle_cell_ *all_next; /* list of all cells; never changes */
};

/* Numbers of lives: the life of a cell increases by HA_LIFE when its actor ends. */
enum { HA_THREAD = 1, HA_LIFE = 2 };

static inline uint32_t ha_life(struct heddle_cell_ *c)
{
    return atomic_load_explicit(&c->life, memory_order_relaxed);
}

static inline heddle_ref ha_ref(struct heddle_cell_ *c)
{
    return (heddle_ref){ .cell = c, .life = ha_life(c) };
}

/* An executor runs actors: a pool of threads, or Heddle. */
struct ha_executor {
    void (*start)(unsigned workers);
    void (*stop)(void);
    void (*owns)(struct heddle_cell_ *c);    /* the running thread, which is no actor, has got this mailbox */
    void (*launch)(struct heddle_cell_ *c);  /* starts a new actor: calls ha_begin, then ha_act for each message */
    void (*created)(struct heddle_cell_ *c); /* called before launch: the actor exists and is not idle */
    void (*sends)(struct heddle_cell_ *c, const heddle_message *m); /* m is about to enter the mailbox */
    void (*sent)(struct heddle_cell_ *c);    /* the message has entered the mailbox */
    void (*ready)(struct heddle_cell_ *c);   /* an idle actor has received a message */
    void (*wait)(struct heddle_cell_ *c);    /* returns when the mailbox of the running actor or thread is not empty */
    void (*wakes)(struct heddle_cell_ *c);   /* wakes the owner from `wait` */
    void (*looks)(const void *shared);       /* the caller reads shared state */
    void (*writes)(const void *shared);      /* the caller changes shared state */
    void (*affects)(const void *shared, struct heddle_node *node, const char *what); /* an actor of the node changes
                                                                                      * shared state */
    void (*strikes)(const void *shared);     /* a failure changes shared state */
    void (*counts)(int more);                /* +1: a task was added; -1: a task is done */
    void (*quiet)(void);
    void (*node)(struct heddle_node *n); /* a new node */
    bool (*partitions)(void);            /* true if the network may be partitioned */
    void (*rings)(struct heddle_cell_ *c, const heddle_message *m); /* an actor takes a message that a timer has sent */
    void (*arm)(struct heddle_alarm_ *a);
    heddle_message *(*disarm)(struct heddle_alarm_ *a, uint64_t life); /* stops the timer and returns its message;
                                                                        * null: it has expired */
};

extern const struct ha_executor ha_pool, ha_controlled;
extern const struct ha_executor *ha_exec; /* null until the library is started */
extern _Thread_local struct heddle_cell_ *ha_current;

/* Under Heddle no other thread runs between two announced operations, so a lock is not necessary, and would only
 * order operations that need no order. */
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
void ha_started(void); /* starts the library unless it is running */
uint64_t ha_mix(uint64_t x);
uint64_t ha_seed(void);

/* life.c */
struct heddle_cell_ *ha_cell_new(const heddle_behaviour *what);
bool ha_begin(struct heddle_cell_ *c); /* ha_begin and ha_act return false if the actor has ended */
bool ha_act(struct heddle_cell_ *c, heddle_message *m); /* runs the action of this message */
void ha_kill_all(void);
bool ha_any_alive(void);

/* mailbox.c */
int ha_push(heddle_ref to, heddle_message *m, bool bounded);
void ha_send(heddle_ref to, heddle_message *m); /* ignores the capacity of mailboxes */
void ha_set_sender(heddle_message *m);          /* sets the sender: the running actor, or the mailbox of the running
                                                 * thread */
void ha_drop(heddle_message *m);                /* frees a message that no actor will take */
heddle_message *ha_next(struct heddle_cell_ *c); /* takes the next message from the mailbox without waiting; null: it
                                                  * is empty */
heddle_message *ha_unstash(struct heddle_cell_ *c); /* takes the next message that heddle_receive has skipped */
bool ha_has_mail(struct heddle_cell_ *c);
heddle_message *ha_receive(int (*match)(const heddle_message *, void *), void *context, bool waits);

/* names.c, node.c, network.c */
void ha_publish(struct heddle_cell_ *c);
void ha_unpublish(struct heddle_cell_ *c);
bool ha_lives(struct heddle_cell_ *c); /* true if the running actor's operations have an effect: it was not killed,
                                        * and its node has not crashed as far as it knows */
bool ha_may(struct heddle_cell_ *c, const void *shared, const char *what); /* announces a change of shared state, and
                                                                            * returns whether the actor may make it */
bool ha_outlives(struct heddle_cell_ *c);
bool ha_node_join(struct heddle_cell_ *c, struct heddle_cell_ *parent); /* adds a new actor to its node */
int ha_transmit(heddle_ref to, heddle_message *m); /* like ha_push, but goes over the network if `to` is on another
                                                    * node */

/* timer.c */
struct heddle_alarm_ {
    heddle_ref to;
    heddle_message *message;
    uint64_t delay;             /* nanoseconds */
    uint64_t when;              /* for the pool: time of expiry, in nanoseconds of CLOCK_MONOTONIC */
    _Atomic uint64_t life;      /* odd while the alarm is armed; incremented when it is armed, expires or is disarmed */
    struct heddle_alarm_ *next; /* free */
    size_t at;                  /* its index in the heap of the pool */
    bool courier;               /* it delivers a delayed message and is no timer of the program */
};
heddle_timer ha_alarm_new(heddle_ref to, heddle_message *m, uint64_t nanoseconds, bool courier);
void ha_alarm_expired(struct heddle_alarm_ *a); /* sends its message; the caller has ended the life of the alarm */
void ha_alarm_dropped(struct heddle_alarm_ *a); /* drops its message; the caller has ended the life of the alarm */

#endif
