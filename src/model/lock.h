/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock.h - data about deadlocks: which events take and release locks, the steps of a lock-order
 * cycle, and the state of each thread when some of them wait for each other. */
#ifndef HD_MODEL_LOCK_H
#define HD_MODEL_LOCK_H

#include "model/event.h"

static inline enum hd_lock_effect hd_lock_effect(const struct hd_event *e)
{
    return e->flags & HD_EVF_FAILED ? HD_LOCK_NONE : (enum hd_lock_effect)hd_kind_info[e->kind].lock;
}

/* True if the operation waits for the lock without a time limit.  (False for a trylock or a timed
 * lock.) */
static inline bool hd_lock_waits(const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    return (k->lock == HD_LOCK_TAKES || k->lock == HD_LOCK_SHARES) && (k->traits & HD_TRAIT_BLOCKS);
}

/* One thread of a lock-order cycle: it wants a lock while it holds another one.  The next thread of the cycle
 * holds the wanted lock. */
struct hd_lock_step {
    uint32_t held, wanted;       /* the locks, as objects */
    uint32_t held_at, wanted_at; /* numbers of the events that took these locks */
    uint64_t held_pc, wanted_pc;
    hd_tid tid;
    uint16_t pad[3];
};

/* The state of a thread when others are in a deadlock. */
enum hd_standing { HD_BLOCKED_STATE_IN_CYCLE, HD_BLOCKED_STATE_BLOCKED, HD_BLOCKED_STATE_FREE, HD_BLOCKED_STATE_EXITING };

struct hd_stand {
    uint32_t tid;
    uint32_t how;       /* enum hd_standing */
    uint32_t waits_for; /* for a thread in a cycle: the next thread of the cycle */
    uint32_t woken;     /* it waited for a signal and has received one; now it waits only for the mutex */
};

#endif
