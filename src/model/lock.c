/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lock.c - locks, as the events tell of them. */
#include "model/lock.h"

enum hd_lock_effect hd_lock_effect(const struct hd_event *e)
{
    if (e->flags & HD_EVF_FAILED)
        return HD_LOCK_NONE;
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_MUTEX_TRYLOCK:
    case HD_EV_MUTEX_TIMEDLOCK:
    case HD_EV_COND_WAKE:
    case HD_EV_SPIN_LOCK:
    case HD_EV_SPIN_TRYLOCK:
    case HD_EV_RWLOCK_WRLOCK:
    case HD_EV_RWLOCK_TRYWRLOCK:
    case HD_EV_RWLOCK_TIMEDWR:
        return HD_LOCK_TAKES;
    case HD_EV_RWLOCK_RDLOCK:
    case HD_EV_RWLOCK_TRYRDLOCK:
    case HD_EV_RWLOCK_TIMEDRD:
        return HD_LOCK_SHARES;
    case HD_EV_MUTEX_UNLOCK:
    case HD_EV_MUTEX_ABANDON:
    case HD_EV_COND_WAIT:
    case HD_EV_SPIN_UNLOCK:
    case HD_EV_RWLOCK_RDUNLOCK:
    case HD_EV_RWLOCK_WRUNLOCK:
        return HD_LOCK_GIVES;
    default:
        return HD_LOCK_NONE;
    }
}

bool hd_lock_waits(const struct hd_event *e)
{
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_COND_WAKE:
    case HD_EV_SPIN_LOCK:
    case HD_EV_RWLOCK_RDLOCK:
    case HD_EV_RWLOCK_WRLOCK:
        return true;
    default:
        return false;
    }
}
