/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library.h - a thread library over system.h, of the kind that students write: conditions,
 * semaphores and read-write locks.  mutex.h has the mutexes, thr_exit_join.c exit and join.
 *
 * As it stands it is correct.  The mistakes are those that Landslide found in such libraries,
 * or of their kind:
 *   COND_UNLOCK_FIRST  the mutex is given up before the thread is in the queue
 *   COND_NO_REJECT     who waits for a condition is descheduled although it was signalled by then
 *   COND_IF            a thread that becomes runnable assumes a signal; it may have been
 *                      made runnable late, for an earlier signal
 *   COND_NODE_LATE     who signals looks whom to wake after the waiter may have freed its node
 *   BROADCAST_ONE      a broadcast wakes one
 *   SEM_IF             who wakes up does not look again whether there is a unit
 *   SEM_UNLOCKED       a unit is counted without the mutex
 *   RW_DOWNGRADE_MUTE  who becomes a reader does not wake readers that wait
 *   RW_DOWNGRADE_GAP   who becomes a reader is neither for a moment
 *   RW_IF              a writer does not look again when it wakes up */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "mutex.h"
#include "system.h"
#include "waiters.h"

/* ---- conditions -------------------------------------------------------------------- */

struct cond {
    struct guard guard;
    struct waiters waiters;
};

static inline void cond_init(struct cond *cond)
{
    *cond = (struct cond){0};
    guard_init(&cond->guard);
}

static inline struct waiter *cond_enqueue(struct cond *cond)
{
    struct waiter *mine = malloc(sizeof *mine);

    assert(mine);
    *mine = (struct waiter){self, 0, NULL};
    guard_take(&cond->guard);
    append(&cond->waiters, mine);
    guard_release(&cond->guard);
    return mine;
}

static inline void cond_sleep(struct waiter *mine)
{
#if defined(COND_NO_REJECT)
    static const int never;

    (void)mine;
    deschedule(&never);
#elif defined(COND_IF)
    deschedule(&mine->is_woken);
#else
    while (!atomic_read(mine->is_woken))
        deschedule(&mine->is_woken);
#endif
}

static inline void cond_wait(struct cond *cond, struct mutex *mutex)
{
    struct waiter *mine;

#ifdef COND_UNLOCK_FIRST
    mutex_unlock(mutex);
    mine = cond_enqueue(cond);
#else
    mine = cond_enqueue(cond);
    mutex_unlock(mutex);
#endif
    cond_sleep(mine);
    free(mine);
    mutex_lock(mutex);
}

static inline bool cond_wake_one(struct cond *cond)
{
    struct waiter *waiter;
    struct thread *thread;

    guard_take(&cond->guard);
    waiter = remove_first(&cond->waiters);
    guard_release(&cond->guard);
    if (waiter == NULL)
        return false;
#ifdef COND_NODE_LATE
    atomic_write(waiter->is_woken, 1);
    thread = waiter->thread;
#else
    thread = waiter->thread;
    atomic_write(waiter->is_woken, 1);
#endif
    make_runnable(thread);
    return true;
}

static inline void cond_signal(struct cond *cond)
{
    (void)cond_wake_one(cond);
}

static inline void cond_broadcast(struct cond *cond)
{
#ifdef BROADCAST_ONE
    (void)cond_wake_one(cond);
#else
    while (cond_wake_one(cond))
        ;
#endif
}

/* ---- semaphores -------------------------------------------------------------------- */

struct sem {
    struct mutex mutex;
    struct cond is_unit;
    int units;
};

static inline void sem_begin(struct sem *sem, int units)
{
    mutex_init(&sem->mutex);
    cond_init(&sem->is_unit);
    sem->units = units;
}

static inline void sem_take(struct sem *sem)
{
    mutex_lock(&sem->mutex);
#ifdef SEM_IF
    if (visible_read(sem->units) <= 0)
        cond_wait(&sem->is_unit, &sem->mutex);
#else
    while (visible_read(sem->units) <= 0)
        cond_wait(&sem->is_unit, &sem->mutex);
#endif
    visible_write(sem->units, visible_read(sem->units) - 1);
    mutex_unlock(&sem->mutex);
}

static inline void sem_signal(struct sem *sem)
{
#ifdef SEM_UNLOCKED
    visible_write(sem->units, visible_read(sem->units) + 1);
    cond_signal(&sem->is_unit);
#else
    mutex_lock(&sem->mutex);
    visible_write(sem->units, visible_read(sem->units) + 1);
    cond_signal(&sem->is_unit);
    mutex_unlock(&sem->mutex);
#endif
}

/* ---- read-write locks -------------------------------------------------------------- */

struct rwlock {
    struct mutex mutex;
    struct cond changed;
    int readers;
    bool is_written;
};

static inline void rwlock_init(struct rwlock *lock)
{
    *lock = (struct rwlock){0};
    mutex_init(&lock->mutex);
    cond_init(&lock->changed);
}

static inline void rwlock_read(struct rwlock *lock)
{
    mutex_lock(&lock->mutex);
    while (lock->is_written)
        cond_wait(&lock->changed, &lock->mutex);
    lock->readers++;
    mutex_unlock(&lock->mutex);
}

static inline bool rwlock_is_used(const struct rwlock *lock)
{
    return lock->is_written || lock->readers > 0;
}

static inline void rwlock_write(struct rwlock *lock)
{
    mutex_lock(&lock->mutex);
#ifdef RW_IF
    if (rwlock_is_used(lock))
        cond_wait(&lock->changed, &lock->mutex);
#else
    while (rwlock_is_used(lock))
        cond_wait(&lock->changed, &lock->mutex);
#endif
    lock->is_written = true;
    mutex_unlock(&lock->mutex);
}

static inline void rwlock_unlock(struct rwlock *lock)
{
    mutex_lock(&lock->mutex);
    if (lock->is_written)
        lock->is_written = false;
    else
        lock->readers--;
    cond_broadcast(&lock->changed);
    mutex_unlock(&lock->mutex);
}

/* The caller writes, and goes on as a reader. */
static inline void rwlock_downgrade(struct rwlock *lock)
{
#ifdef RW_DOWNGRADE_GAP
    rwlock_unlock(lock);
    rwlock_read(lock);
#else
    mutex_lock(&lock->mutex);
    lock->is_written = false;
    lock->readers = 1;
#ifndef RW_DOWNGRADE_MUTE
    cond_broadcast(&lock->changed);
#endif
    mutex_unlock(&lock->mutex);
#endif
}

#endif
