/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.h - what taking and giving up a mutex means. */
#ifndef HD_RUNTIME_CORE_MUTEX_H
#define HD_RUNTIME_CORE_MUTEX_H

#include <errno.h>

#include "runtime/core/held.h"
#include "runtime/core/object.h"

/* The running thread holds o now; EOWNERDEAD when its last holder died. */
static inline int hd_mutex_take(struct hd_obj *o, uint64_t pc)
{
    hd_take_effect(o, HD_EV_MUTEX_LOCK, 0);
    o->sync.count = 1;
    o->pc = pc;
    hd_lock_taken(o);
    if (HD_LIKELY(!o->robust))
        return 0;
    hd.cur->robust_held++;
    o->sync.seq = hd.exec->nevents; /* which of several was locked last: thread_end.c, E2 */
    return o->flags & HD_OF_INCONSISTENT ? EOWNERDEAD : 0;
}

/* It holds it no longer. */
static inline void hd_mutex_drop(struct hd_obj *o)
{
    hd_take_effect(o, HD_EV_MUTEX_UNLOCK, 0);
    o->sync.count = 0;
    hd_lock_given(hd.cur, o);
    if (HD_LIKELY(!o->robust))
        return;
    hd.cur->robust_held--;
    if (o->flags & HD_OF_INCONSISTENT) { /* unlocked without pthread_mutex_consistent */
        o->flags &= (uint8_t)~HD_OF_INCONSISTENT;
        o->sync.done = true;
    }
}

/* The whole of MUTEX_LOCK or MUTEX_UNLOCK once it is clear that it is one: wait
 * for the turn, take effect, record. */
int hd_mutex_lock(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));
int hd_mutex_unlock(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));

/* The same of a lock by a thread that holds others: that may close a cycle. */
int hd_mutex_lock_nested(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));

/* At the turn of an unlock by a thread that does not hold the (normal) mutex. */
void hd_mutex_unlock_of_another(struct hd_obj *o, uint64_t pc);

#endif
