/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.c - mutexes of all kinds.  The memory of a pthread_mutex_t keeps what libc's initialisers
 * write (its kind).  Only the model knows the holder; libc's lock functions never see a controlled
 * mutex. */
#include <errno.h>
#include <pthread.h>

#include "base/check.h"
#include "runtime/calls/intercept.h"
#include "runtime/core/entry.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"
#include "runtime/watch/locks.h"
#include "runtime/watch/tx_undo.h"

static bool is_own(const struct hd_obj *o)
{
    return o->sync.owner == hd.cur->tid;
}

static void import_kind(struct hd_obj *o, const pthread_mutex_t *m)
{
    o->attr = (uint8_t)(m->__data.__kind & 3);
    o->robust = (m->__data.__kind & 16) != 0;
}

/* Call when the depth of a recursive mutex is about to change, which is not an operation. */
static inline void keep_in_transaction(struct hd_obj *o)
{
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX))
        hd_tx_undo_keep(o);
}

/* Handles a lock by the thread that already holds the mutex.  Returns true if *rc is the final
 * result. */
static bool relock(struct hd_obj *o, int *rc)
{
    if (!is_own(o))
        return false;
    if (o->attr == PTHREAD_MUTEX_RECURSIVE) {
        *rc = o->sync.count == UINT32_MAX ? EAGAIN : 0;
        keep_in_transaction(o);
        o->sync.count += *rc == 0;
        return true;
    }
    *rc = EDEADLK;
    return o->attr == PTHREAD_MUTEX_ERRORCHECK; /* a normal mutex blocks for ever */
}

HD_LOCK_ENTRY(pthread_mutex_lock);
int hd_impl_pthread_mutex_lock(pthread_mutex_t *m)
{
    int rc;

    if (HD_UNLIKELY(hd.cur == NULL))
        return HD_REAL(pthread_mutex_lock)(m);
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);

    if (HD_UNLIKELY(is_own(o)) && relock(o, &rc))
        return rc;
    if (HD_UNLIKELY(hd.cur->locks != 0))
        return hd_mutex_lock_nested(o, HD_PC);
    return hd_mutex_lock(o, HD_PC);
}

/* trylock and timedlock: succeeds if the mutex is free at the turn of the operation.  Returns
 * `otherwise` if it is not. */
static int attempt(enum hd_kind kind, struct hd_obj *o, int otherwise, uint64_t pc)
{
    hd_op(kind, o, NULL, pc);
    if (o->sync.done)
        otherwise = ENOTRECOVERABLE;
    else if (hd_can(o, HD_EV_MUTEX_TRYLOCK)) {
        int rc = hd_mutex_take(o, pc);

        hd_done(0, 0);
        return rc;
    }
    hd_name_owner(o->sync.owner);
    hd_done(0, HD_EVF_FAILED);
    return otherwise;
}

HD_POLL_ENTRY(pthread_mutex_trylock);
int hd_impl_pthread_mutex_trylock(pthread_mutex_t *m)
{
    int rc;

    if (hd.cur == NULL)
        return HD_REAL(pthread_mutex_trylock)(m);
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);

    if (is_own(o) && o->attr == PTHREAD_MUTEX_RECURSIVE && relock(o, &rc))
        return rc;
    if (hd_fault(HD_FAULT_TRYLOCK, o, HD_PC))
        return EBUSY;
    return attempt(HD_EV_MUTEX_TRYLOCK, o, EBUSY, HD_PC);
}

static int timed(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, uint64_t pc)
{
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);
    int rc;

    if (!hd_clock_waits(clock))
        return EINVAL;
    if (relock(o, &rc))
        return rc;
    hd_time_limits(clock, until);
    rc = attempt(HD_EV_MUTEX_TIMEDLOCK, o, ETIMEDOUT, pc);
    if (rc == ETIMEDOUT) {
        if (!hd_time_valid(until))
            return EINVAL;
        hd_time_reach(clock, hd_time_ns(until));
    }
    return rc;
}

HD_POLL_ENTRY(pthread_mutex_timedlock);
int hd_impl_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_mutex_timedlock)(m, until);
    return timed(m, CLOCK_REALTIME, until, HD_PC);
}

HD_POLL_ENTRY(pthread_mutex_clocklock);
int hd_impl_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_mutex_clocklock)(m, clock, until);
    return timed(m, clock, until, HD_PC);
}

HD_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
    if (HD_UNLIKELY(hd.cur == NULL))
        return HD_REAL(pthread_mutex_unlock)(m);
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);

    if (HD_UNLIKELY(!is_own(o))) {
        /* POSIX defines EPERM for these kinds.  For a normal mutex the behaviour is undefined. */
        if (o->attr == PTHREAD_MUTEX_ERRORCHECK || o->attr == PTHREAD_MUTEX_RECURSIVE || o->robust)
            return EPERM;
    } else if (o->sync.count > 1) {
        keep_in_transaction(o);
        o->sync.count--;
        return 0;
    }
    return hd_mutex_unlock(o, HD_PC);
}

HD_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    int rc = HD_REAL(pthread_mutex_init)(m, attr);

    if (hd.cur == NULL || rc != 0)
        return rc;
    struct hd_obj *o = hd_object_fresh(m, HD_OBJ_MUTEX);

    import_kind(o, m);
    hd_note(HD_EV_MUTEX_INIT, o, 0, HD_PC);
    return 0;
}

HD_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_mutex_destroy)(m);
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);

    hd_op(HD_EV_MUTEX_DESTROY, o, NULL, HD_PC);
    if (o->sync.owner != HD_NO_TID) {
        hd_lock_destroyed_held(o, HD_PC);
        hd_done(0, HD_EVF_FAILED);
        return EBUSY;
    }
    hd_object_destroyed(o);
    hd_done(0, 0);
    return HD_REAL(pthread_mutex_destroy)(m); /* marks the memory as destroyed, see hd_object */
}

HD_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_mutex_consistent)(m);
    struct hd_obj *o = hd_object(m, HD_OBJ_MUTEX);

    if (!o->robust || !(o->flags & HD_OF_INCONSISTENT) || !is_own(o))
        return EINVAL;
    o->flags &= (uint8_t)~HD_OF_INCONSISTENT;
    return 0;
}
