/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.h - the effects of locking and unlocking a mutex. */
#ifndef HD_RUNTIME_CORE_MUTEX_H
#define HD_RUNTIME_CORE_MUTEX_H

#include <errno.h>

#include "base/check.h"
#include "runtime/core/held.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"

/* Makes the running thread the owner of o.  Returns EOWNERDEAD if the last owner of a robust mutex
 * died, else 0. */
static inline int hd_mutex_take(struct hd_obj *o, uint64_t pc)
{
    hd_take_effect(o, HD_EV_MUTEX_LOCK, 0);
    o->sync.count = 1;
    o->pc = pc;
    hd_lock_taken(o);
    if (HD_LIKELY(!o->robust))
        return 0;
    hd.cur->robust_held++;
    o->sync.seq = hd.exec->nevents; /* records the order of locking: see thread_end.c, E2 */
    return o->flags & HD_OF_INCONSISTENT ? EOWNERDEAD : 0;
}

/* Unlocks o, which the running thread owns. */
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

/* Complete MUTEX_LOCK and MUTEX_UNLOCK operations, for a caller that has checked the arguments:
 * wait for the turn, take effect, record.  Return an error number or 0. */
int hd_mutex_lock(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));
int hd_mutex_unlock(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));

/* Like hd_mutex_lock, for a thread that holds other locks: the lock may close a cycle. */
int hd_mutex_lock_nested(struct hd_obj *o, uint64_t pc) __attribute__((nonnull));

#endif
