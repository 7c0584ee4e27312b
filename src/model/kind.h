/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kind.h - kinds of visible operations and the columns of their table, event_kinds.def. */
#ifndef HD_MODEL_KIND_H
#define HD_MODEL_KIND_H

#include <stdint.h>

enum hd_kind {
    HD_EV_NONE, /* a thread that has no pending operation */
#define X(id, ...) HD_EV_##id,
#include "model/event_kinds.def"
#undef X
    HD_EV_COUNT
};

enum hd_access { HD_ACC_N, HD_ACC_R, HD_ACC_W, HD_ACC_A };

enum hd_trait { HD_TRAIT_BLOCKS = 1, HD_TRAIT_YIELDS = 2, HD_TRAIT_POLLS = 4, HD_TRAIT_LOCAL = 8, HD_TRAIT_TIMED = 16 };

/* What an event does to the lock that is its first object.  A wait on a condition releases the mutex, and
 * waking up takes it. */
enum hd_lock_effect {
    HD_LOCK_NONE,
    HD_LOCK_TAKES,  /* takes it exclusively */
    HD_LOCK_SHARES, /* takes it as one of several readers */
    HD_LOCK_GIVES,  /* releases it */
};

/* Which happens-before edges an event adds (detect/clocks.h). */
enum hd_hb {
    HD_HB_NONE,
    HD_HB_TAKE,   /* acquire: the object's clock is joined to the thread's */
    HD_HB_GIVE,   /* release: the thread's clock is joined to the object's */
    HD_HB_UNLOCK, /* release: the thread's clock replaces the object's, which it includes, because the thread
                   * held the lock */
    HD_HB_BOTH,
    HD_HB_READ_UNLOCK,
    HD_HB_WRITE_LOCK,
    HD_HB_WRITE_UNLOCK,
    HD_HB_ATOMIC,
    HD_HB_FENCE,
    HD_HB_CREATE,
    HD_HB_FLOW,   /* as aux says (enum hd_flow), for each channel */
};

/* Which earlier events an event depends on (L3 of detect/lockorder.h): the last ones that gave something to an
 * object from which it takes. */
enum hd_dependence {
    HD_DEP_GIVES1 = 1,
    HD_DEP_TAKES1 = 2,
    HD_DEP_GIVES2 = 4, /* it gives to the second object */
    HD_DEP_TAKES2 = 8,
    HD_DEP_CLASS = 16, /* given by the access class: W gives and takes, A gives, R takes */
};

/* The state in which an operation can take effect (model/sync.h). */
enum hd_when {
    HD_WHEN_ALWAYS,
    HD_WHEN_FREE,       /* no thread holds it */
    HD_WHEN_READABLE,   /* no thread writes, and no writer queues */
    HD_WHEN_WRITABLE,   /* no thread holds it and no thread reads */
    HD_WHEN_POSITIVE,   /* the count is not 0; fails if the semaphore has been destroyed */
    HD_WHEN_ZERO,       /* the count is 0 */
    HD_WHEN_ROUND_OVER, /* the barrier's round in which the thread has arrived is over */
    HD_WHEN_LEFT,       /* all threads that were free to leave have left */
    HD_WHEN_CLAIMABLE,  /* no thread runs the routine; fails if the routine has already run */
    HD_WHEN_ENDED,      /* the thread has ended; fails if it is detached */
    HD_WHEN_NOT_DONE,
    HD_WHEN_UNLOCKED,   /* no other thread holds it */
    HD_WHEN_TOKEN,      /* there is a token for the thread, and its mutex is free */
    HD_WHEN_NEVER,      /* the runtime chooses it when no other operation is enabled */
    /* Conditions that do not depend on the state of a modelled object: */
    HD_WHEN_EQUAL,      /* memory holds the expected value */
    HD_WHEN_TIMER,      /* the runtime's timers decide */
    HD_WHEN_IO,         /* the kernel decides */
    HD_WHEN_UNMODELLED, /* always enabled; only the kernel knows whether it succeeds */
};

/* What an operation does to the state of its first object (model/sync.h). */
enum hd_change {
    HD_CHANGE_NONE,
    HD_CHANGE_OWN,
    HD_CHANGE_DISOWN,
    HD_CHANGE_OWN_QUEUED, /* like OWN, by a writer that may have queued */
    HD_CHANGE_QUEUE,      /* a writer queues */
    HD_CHANGE_READ_IN,
    HD_CHANGE_READ_OUT,
    HD_CHANGE_UP,
    HD_CHANGE_DOWN,
    HD_CHANGE_MORE,       /* one more thing to be done */
    HD_CHANGE_LESS,
    HD_CHANGE_SET,        /* semaphore: its first value */
    HD_CHANGE_DONE,
    HD_CHANGE_CREATE,     /* a thread is created, perhaps detached */
    HD_CHANGE_DETACH,
    HD_CHANGE_ROUNDS,     /* barrier: number of threads in a round */
    HD_CHANGE_ARRIVE,
    HD_CHANGE_LEAVE,
    HD_CHANGE_FINISH,     /* once: done, or free again if the routine failed */
    HD_CHANGE_VALUE,      /* memory now holds the event's value */
    HD_CHANGE_FORGET,     /* memory now holds an unknown value */
};

/* What an operation does to a queue with tokens (model/sync.h), and which of its objects is the queue. */
enum hd_queue_change {
    HD_QUEUE_NONE,
    HD_QUEUE_ENTER,     /* the queue is the second object */
    HD_QUEUE_SIGNAL,    /* here, and in all following changes except RELOCK, the queue is the first object */
    HD_QUEUE_BROADCAST,
    HD_QUEUE_WAKE,      /* adds as many tokens as the event's value says */
    HD_QUEUE_TAKE,      /* takes a token and leaves */
    HD_QUEUE_LEAVE,     /* leaves without a token */
    HD_QUEUE_RELOCK,    /* takes a token, leaves, and takes the mutex, which is the first object; the second
                         * object is the tokens, whose number follows that of the queue */
};

enum hd_prop {
    HD_PROP_WORKS = 1,
    HD_PROP_WORKS_OK = 2,
    HD_PROP_CANCEL = 4,
    HD_PROP_ON = 8,
    HD_PROP_FROM = 16,
    HD_PROP_PEER = 32,
    HD_PROP_NO_OBJECT = 64,
    HD_PROP_SETS_UP = 128,
};

/* One row of the table. */
struct hd_kind_info {
    const char *name;
    const char *text;
    const char *noun;         /* NULL: the same as text */
    uint8_t obj;              /* enum hd_object_type, of the first object */
    uint8_t ok1, fail1, acc2; /* enum hd_access */
    uint8_t traits;           /* enum hd_trait */
    uint8_t lock;             /* enum hd_lock_effect */
    uint8_t hb, hb_fail;      /* enum hd_hb */
    uint8_t dep;              /* enum hd_dependence */
    uint8_t when;             /* enum hd_when */
    uint8_t change;           /* enum hd_change */
    uint8_t queue;            /* enum hd_queue_change */
    uint8_t props;            /* enum hd_prop */
};

extern const struct hd_kind_info hd_kind_info[HD_EV_COUNT];
/* Single columns as arrays of their own, because they are read often. */
extern const uint8_t hd_kind_traits[HD_EV_COUNT];
extern const uint8_t hd_kind_hb[HD_EV_COUNT];

/* Returns the kind with this identifier ("MUTEX_LOCK"); HD_EV_NONE if there is none. */
enum hd_kind hd_kind_find(const char *name);

#endif
