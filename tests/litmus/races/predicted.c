/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predicted - what --races=predict lists and what it does not, of a single execution in
 * which nothing races: the first thread is through before the second begins.
 *
 *   hidden      must be listed: only the order of two empty sections keeps the accesses apart
 *   two-locks   must be listed: both lock, but have no lock in common; a third lock orders them
 *   readers     must be listed: a writer that holds a lock for reading only, as the reader does
 *   guarded     must not: one lock in common, whatever else is held
 *   joined      must not: created after the other was joined
 *   posted      must not: a semaphore orders
 *   released    must not: an atomic orders
 *   shared      must not: a writer that excludes readers
 *   woken       must not: a condition variable hands over */
#include <semaphore.h>
#include <stdatomic.h>

#include "races.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER,
                       third = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static atomic_int flag;
static int x, ready;

static void pass(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}

static void with(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    PUT(x, GET(x) + 1);
    pthread_mutex_unlock(lock);
}

static void *one(void *arg)
{
    if (is("readers"))
        pthread_rwlock_rdlock(&rw);
    if (is("shared"))
        pthread_rwlock_wrlock(&rw);
    if (is("guarded") || is("two-locks"))
        with(&m);
    else if (!is("woken"))
        PUT(x, 1);
    if (is("readers") || is("shared"))
        pthread_rwlock_unlock(&rw);
    if (is("posted"))
        sem_post(&sem);
    if (is("released"))
        atomic_store_explicit(&flag, 1, memory_order_release);
    if (is("woken")) {
        pthread_mutex_lock(&m);
        while (!ready)
            pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        PUT(x, 1);
    }
    pass(&third);
    return arg;
}

static void *other(void *arg)
{
    if (is("woken")) {
        PUT(x, 2);
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return arg;
    }
    pass(&third);
    if (is("posted"))
        sem_wait(&sem);
    if (is("released") && !atomic_load_explicit(&flag, memory_order_acquire))
        return arg;
    if (is("readers") || is("shared"))
        pthread_rwlock_rdlock(&rw);
    if (is("guarded"))
        with(&m);
    else if (is("two-locks"))
        with(&n);
    else
        (void)GET(x);
    if (is("readers") || is("shared"))
        pthread_rwlock_unlock(&rw);
    return arg;
}

int main(int argc, char **argv)
{
    sem_init(&sem, 0, 0);
    variant = argc > 1 ? argv[1] : "";
    pthread_t a = spawn(one);

    if (is("joined"))
        join(a);
    pthread_t b = spawn(other);

    if (!is("joined"))
        join(a);
    join(b);
    return 0;
}
