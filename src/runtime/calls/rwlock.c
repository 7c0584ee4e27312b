/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock.c - read-write locks.  libc never sees them, because its writer preference and its futexes do not work with
 * fibers.  Any enabled waiting thread may be next, which includes all orders under both preferences.
 *
 * W1  owner is the writer. count is the number of read locks that are held. readers is the set of
 *     threads that hold at least one.
 * W2  A thread that holds several read locks on the same object needs a count of its own: see
 *     `struct again`.
 * W3  A lock of the kind PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP (attr) lets no thread read
 *     while a writer waits, not even a thread that already reads.  So writers first queue
 *     (RWLOCK_QUEUE), and nwaiters is the number of queued writers.  A writer that finds the lock
 *     free takes it in its next step, so no behaviour is lost if readers wait for a writer as soon
 *     as it has queued. */
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

/* The read locks of a thread on one object beyond its first. */
struct again {
    struct hd_obj *o;
    hd_tid tid;
    uint32_t times;
};

#define MAX_AGAIN 1024
static struct {
    uint32_t epoch;
    uint32_t used;
    struct again row[MAX_AGAIN];
} again;

static struct again *again_find(const struct hd_obj *o)
{
    if (again.epoch != hd.epoch) {
        again.epoch = hd.epoch;
        again.used = 0;
    }
    for (uint32_t i = 0; i < again.used; i++)
        if (again.row[i].o == o && again.row[i].tid == hd.cur->tid)
            return &again.row[i];
    return NULL;
}

/* Counts another read lock of the running thread.  Returns false if the table is full. */
static bool again_enter(struct hd_obj *o)
{
    struct again *a = again_find(o);

    if (a == NULL) {
        if (again.used == MAX_AGAIN)
            return false;
        a = &again.row[again.used++];
        *a = (struct again){ .o = o, .tid = hd.cur->tid };
    }
    a->times++;
    return true;
}

/* Removes one additional read lock.  Returns true if there was one: the thread then still holds the
 * lock. */
static bool again_leave(const struct hd_obj *o)
{
    struct again *a = again_find(o);

    if (a == NULL)
        return false;
    if (--a->times == 0)
        *a = again.row[--again.used];
    return true;
}

static bool may_read(const struct hd_obj *o)
{
    return hd_can(o, HD_EV_RWLOCK_RDLOCK);
}

static bool may_write(const struct hd_obj *o)
{
    return hd_can(o, HD_EV_RWLOCK_WRLOCK);
}

static int take_read(struct hd_obj *o, uint64_t pc)
{
    if (hd_set_has(&o->readers, hd.cur->tid) && !again_enter(o)) {
        hd_done(EAGAIN, HD_EVF_FAILED);
        return EAGAIN;
    }
    hd_set_add(&o->readers, hd.cur->tid);
    hd_take_effect(o, HD_EV_RWLOCK_RDLOCK, 0);
    o->pc = pc;
    hd_lock_taken(o);
    hd_done(0, 0);
    return 0;
}

static int take_write(struct hd_obj *o, uint64_t pc)
{
    hd_take_effect(o, HD_EV_RWLOCK_TRYWRLOCK, 0);
    o->pc = pc;
    hd_lock_taken(o);
    hd_done(0, 0);
    return 0;
}

static int refuse(const struct hd_obj *o, int error)
{
    unsigned reader = hd_set_next(&o->readers, 0);

    hd_name_owner(o->sync.owner != HD_NO_TID || reader == HD_MAX_THREADS ? o->sync.owner : (hd_tid)reader);
    hd_done((uint64_t)error, HD_EVF_FAILED);
    return error;
}

HD_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    int error = HD_REAL(pthread_rwlock_init)(l, attr);

    if (hd.cur == NULL || error != 0)
        return error;
    struct hd_obj *o = hd_object_fresh(l, HD_OBJ_RWLOCK);

    o->sync.owner = HD_NO_TID;
    o->sync.count = 0;
    o->sync.nwaiters = 0;
    o->attr = l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    hd_set_clear(&o->readers);
    hd_note(HD_EV_RWLOCK_INIT, o, 0, HD_PC);
    return 0;
}

HD_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_destroy)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    hd_op(HD_EV_RWLOCK_DESTROY, o, NULL, HD_PC);
    if (!may_write(o)) {
        hd_lock_destroyed_held(o, HD_PC);
        return refuse(o, EBUSY);
    }
    hd_object_destroyed(o);
    hd_done(0, 0);
    return 0;
}

HD_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_rdlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    if (o->sync.owner == hd.cur->tid)
        return EDEADLK;
    hd_lock_wanted(o, HD_PC);
    hd_op(HD_EV_RWLOCK_RDLOCK, o, NULL, HD_PC);
    return take_read(o, HD_PC);
}

/* Announces a write lock (W3).  The operation itself removes the writer from the queue; its aux is
 * true if it does so. */
static void announce_write(enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    if (o->attr) {
        hd_op(HD_EV_RWLOCK_QUEUE, o, NULL, pc);
        hd_take_effect(o, HD_EV_RWLOCK_QUEUE, 0);
        hd_done(0, 0);
    }
    hd_op(kind, o, NULL, pc);
    if (o->attr) {
        hd_pending()->aux = true;
        hd_sync_happen(&o->sync, hd_kind_change(kind), hd.cur->tid, true, true);
    }
}

HD_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_wrlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    if (o->sync.owner == hd.cur->tid)
        return EDEADLK;
    hd_lock_wanted(o, HD_PC);
    announce_write(HD_EV_RWLOCK_WRLOCK, o, HD_PC);
    return take_write(o, HD_PC);
}

HD_POLL_ENTRY(pthread_rwlock_tryrdlock);
int hd_impl_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_tryrdlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    if (hd_fault(HD_FAULT_TRYLOCK, o, HD_PC))
        return EBUSY;
    hd_op(HD_EV_RWLOCK_TRYRDLOCK, o, NULL, HD_PC);
    return may_read(o) ? take_read(o, HD_PC) : refuse(o, EBUSY);
}

HD_POLL_ENTRY(pthread_rwlock_trywrlock);
int hd_impl_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_trywrlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    if (hd_fault(HD_FAULT_TRYLOCK, o, HD_PC))
        return EBUSY;
    hd_op(HD_EV_RWLOCK_TRYWRLOCK, o, NULL, HD_PC);
    return may_write(o) ? take_write(o, HD_PC) : refuse(o, EBUSY);
}

static int timed_lock(enum hd_kind kind, pthread_rwlock_t *l, clockid_t clock,
                      const struct timespec *until, uint64_t pc)
{
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    if (!hd_clock_waits(clock) || !hd_time_valid(until))
        return EINVAL;
    if (o->sync.owner == hd.cur->tid)
        return EDEADLK;
    hd_time_limits(clock, until);
    if (kind == HD_EV_RWLOCK_TIMEDWR)
        announce_write(kind, o, pc);
    else
        hd_op(kind, o, NULL, pc);
    if (kind == HD_EV_RWLOCK_TIMEDRD && may_read(o))
        return take_read(o, pc);
    if (kind == HD_EV_RWLOCK_TIMEDWR && may_write(o))
        return take_write(o, pc);
    hd_time_reach(clock, hd_time_ns(until));
    return refuse(o, ETIMEDOUT);
}

HD_POLL_ENTRY(pthread_rwlock_timedrdlock);
int hd_impl_pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_timedrdlock)(l, until);
    return timed_lock(HD_EV_RWLOCK_TIMEDRD, l, CLOCK_REALTIME, until, HD_PC);
}

HD_POLL_ENTRY(pthread_rwlock_timedwrlock);
int hd_impl_pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_timedwrlock)(l, until);
    return timed_lock(HD_EV_RWLOCK_TIMEDWR, l, CLOCK_REALTIME, until, HD_PC);
}

HD_POLL_ENTRY(pthread_rwlock_clockrdlock);
int hd_impl_pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                                       const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_clockrdlock)(l, clock, until);
    return timed_lock(HD_EV_RWLOCK_TIMEDRD, l, clock, until, HD_PC);
}

HD_POLL_ENTRY(pthread_rwlock_clockwrlock);
int hd_impl_pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                                       const struct timespec *until)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_clockwrlock)(l, clock, until);
    return timed_lock(HD_EV_RWLOCK_TIMEDWR, l, clock, until, HD_PC);
}

HD_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_rwlock_unlock)(l);
    struct hd_obj *o = hd_object(l, HD_OBJ_RWLOCK);

    /* The thread knows what it holds before its turn, unless another thread reinitialises the lock. */
    bool reads = hd_set_has(&o->readers, hd.cur->tid);

    hd_op(reads ? HD_EV_RWLOCK_RDUNLOCK : HD_EV_RWLOCK_WRUNLOCK, o, NULL, HD_PC);
    if (reads ? !hd_set_has(&o->readers, hd.cur->tid) : o->sync.owner != hd.cur->tid) {
        hd_lock_not_own(o, HD_PC);
        hd_done(EPERM, HD_EVF_FAILED);
        return EPERM;
    }
    hd_lock_given(hd.cur, o);
    if (!reads) {
        hd_take_effect(o, HD_EV_RWLOCK_WRUNLOCK, 0);
        hd_done(0, 0);
        return 0;
    }
    if (!again_leave(o))
        hd_set_remove(&o->readers, hd.cur->tid);
    hd_take_effect(o, HD_EV_RWLOCK_RDUNLOCK, 0);
    hd_done(0, 0);
    return 0;
}
