/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.h - the mutex of the library: a queue of threads that are descheduled until the mutex is
 * handed over to them, guarded by a spin lock that is held for a few instructions.
 *
 * As it stands it is correct.  Mistakes:
 *   GUARD_TWO_STEPS   the spin lock is tested and then set
 *   MUTEX_NO_REJECT   who waits is descheduled although the mutex was handed over by then
 *   MUTEX_FREE_FIRST  a mutex is free for a moment while it is handed over
 *
 * This is for tests with TESTING_MUTEXES.  The others trust mutexes, as Landslide does, and have
 * those of the system instead: what the library does above them is then small enough to be
 * explored completely. */
#ifndef MUTEX_H
#define MUTEX_H

#include "system.h"

#ifdef TESTING_MUTEXES
#include "waiters.h"

/* ---- spin locks, held for a few instructions -------------------------------------- */

struct guard {
    int is_taken;
};

static inline void guard_init(struct guard *guard)
{
    atomic_write(guard->is_taken, 0);
}

static inline bool guard_was_taken(struct guard *guard)
{
#ifdef GUARD_TWO_STEPS
    if (atomic_read(guard->is_taken))
        return true;
    atomic_write(guard->is_taken, 1);
    return false;
#else
    return atomic_swap(guard->is_taken, 1);
#endif
}

static inline void guard_take(struct guard *guard)
{
    while (guard_was_taken(guard))
        yield();
}

static inline void guard_release(struct guard *guard)
{
    atomic_write(guard->is_taken, 0);
}

/* ---- mutexes ----------------------------------------------------------------------- */

struct mutex {
    struct guard guard;
    bool is_locked;
    struct waiters waiters;
};

static inline void mutex_init(struct mutex *mutex)
{
    *mutex = (struct mutex){0};
    guard_init(&mutex->guard);
}

static inline void mutex_wait(struct waiter *mine)
{
#ifdef MUTEX_NO_REJECT
    static const int never;

    (void)mine;
    deschedule(&never);
#else
    while (!atomic_read(mine->is_woken))
        deschedule(&mine->is_woken);
#endif
}

static inline void mutex_lock(struct mutex *mutex)
{
    struct waiter mine = {self, 0, NULL};

    guard_take(&mutex->guard);
    if (mutex->is_locked) {
        append(&mutex->waiters, &mine);
        guard_release(&mutex->guard);
        mutex_wait(&mine); /* it is ours when that returns */
    } else {
        mutex->is_locked = true;
        guard_release(&mutex->guard);
    }
}

static inline void mutex_unlock(struct mutex *mutex)
{
    struct waiter *waiter;
    struct thread *thread;

    guard_take(&mutex->guard);
    waiter = remove_first(&mutex->waiters);
    if (waiter == NULL) {
        mutex->is_locked = false;
        guard_release(&mutex->guard);
        return;
    }
    thread = waiter->thread; /* the waiter is gone once it is woken */
#ifdef MUTEX_FREE_FIRST
    mutex->is_locked = false;
#endif
    guard_release(&mutex->guard);
    atomic_write(waiter->is_woken, 1);
    make_runnable(thread);
}

#else

struct guard {
    pthread_mutex_t mutex;
};

static inline void guard_init(struct guard *guard)
{
    pthread_mutex_init(&guard->mutex, NULL);
}

static inline void guard_take(struct guard *guard)
{
    pthread_mutex_lock(&guard->mutex);
}

static inline void guard_release(struct guard *guard)
{
    pthread_mutex_unlock(&guard->mutex);
}

struct mutex {
    pthread_mutex_t mutex;
};

static inline void mutex_init(struct mutex *mutex)
{
    pthread_mutex_init(&mutex->mutex, NULL);
}

static inline void mutex_lock(struct mutex *mutex)
{
    pthread_mutex_lock(&mutex->mutex);
}

static inline void mutex_unlock(struct mutex *mutex)
{
    pthread_mutex_unlock(&mutex->mutex);
}

#endif

#endif
