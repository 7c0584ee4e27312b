/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin.c - spin locks.  In the model a spin lock is a mutex without kinds.  A thread that would
 * spin blocks instead, since on one kernel thread no other thread could release the lock.  A thread
 * that locks its own spin lock again blocks for ever, and the deadlock detector reports it. */
#include <pthread.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/entry.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"
#include "runtime/watch/locks.h"

static void take(struct hd_obj *o, uint64_t pc)
{
    hd_take_effect(o, HD_EV_SPIN_LOCK, 0);
    o->pc = pc;
    hd_lock_taken(o);
    hd_done(0, 0);
}

HD_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    int error = HD_REAL(pthread_spin_init)(l, shared);

    if (hd.cur == NULL || error != 0)
        return error;
    struct hd_obj *o = hd_object_fresh(l, HD_OBJ_SPIN);

    o->sync.owner = HD_NO_TID;
    hd_note(HD_EV_SPIN_INIT, o, 0, HD_PC);
    return 0;
}

HD_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_spin_destroy)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_SPIN);

    hd_op(HD_EV_SPIN_DESTROY, o, NULL, HD_PC);
    if (o->sync.owner != HD_NO_TID) {
        hd_lock_destroyed_held(o, HD_PC);
        hd_done(EBUSY, HD_EVF_FAILED);
        return EBUSY;
    }
    hd_object_destroyed(o);
    hd_done(0, 0);
    return 0;
}

HD_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_spin_lock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_SPIN);

    hd_lock_wanted(o, HD_PC);
    hd_op(HD_EV_SPIN_LOCK, o, NULL, HD_PC);
    take(o, HD_PC);
    return 0;
}

HD_POLL_ENTRY(pthread_spin_trylock);
int hd_impl_pthread_spin_trylock(pthread_spinlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_spin_trylock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_SPIN);

    if (hd_fault(HD_FAULT_TRYLOCK, o, HD_PC))
        return EBUSY;
    hd_op(HD_EV_SPIN_TRYLOCK, o, NULL, HD_PC);
    if (!hd_can(o, HD_EV_SPIN_TRYLOCK)) {
        hd_name_owner(o->sync.owner);
        hd_done(EBUSY, HD_EVF_FAILED);
        return EBUSY;
    }
    take(o, HD_PC);
    return 0;
}

HD_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_spin_unlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_SPIN);

    hd_op(HD_EV_SPIN_UNLOCK, o, NULL, HD_PC);
    if (o->sync.owner != hd.cur->tid) {
        hd_lock_not_own(o, HD_PC);
        hd_done(EPERM, HD_EVF_FAILED);
        return EPERM;
    }
    hd_take_effect(o, HD_EV_SPIN_UNLOCK, 0);
    hd_lock_given(hd.cur, o);
    hd_done(0, 0);
    return 0;
}
