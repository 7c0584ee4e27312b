/* SPDX-License-Identifier: BSD-2-Clause
 *
 * freed_object - an operation on a lock, condition, ... uses the block of the heap that contains it.  If
 * nothing orders the operation and a free of the block, another order uses freed memory: a search that
 * runs one order only must report that.  The twins free the block as POSIX allows: by the last user,
 * after a post, after the waiters were woken, after all threads have arrived. */
#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>

#include "races.h"

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_once_t once;
    sem_t sem;
    int users;
    bool done;
    char rest[65536];
};

static struct shared *p;
static pthread_mutex_t outside = PTHREAD_MUTEX_INITIALIZER;

static void nothing(void)
{
}

static void wait_a_moment(void)
{
    struct timespec past = { 0 };

    pthread_mutex_lock(&outside);
    pthread_cond_timedwait(&p->cond, &outside, &past);
    pthread_mutex_unlock(&outside);
}

/* One operation, which nothing orders with the free. */
static void *use(void *arg)
{
    int value;

    if (is("mutex") || is("initialised"))
        pthread_mutex_lock(&p->mutex), pthread_mutex_unlock(&p->mutex);
    else if (is("trylock") && pthread_mutex_trylock(&p->mutex) == 0)
        pthread_mutex_unlock(&p->mutex);
    else if (is("signal"))
        pthread_cond_signal(&p->cond);
    else if (is("wait"))
        wait_a_moment();
    else if (is("rwlock"))
        pthread_rwlock_rdlock(&p->rwlock), pthread_rwlock_unlock(&p->rwlock);
    else if (is("spin"))
        pthread_spin_lock(&p->spin), pthread_spin_unlock(&p->spin);
    else if (is("barrier"))
        pthread_barrier_wait(&p->barrier);
    else if (is("once"))
        pthread_once(&p->once, nothing);
    else if (is("post"))
        sem_post(&p->sem);
    else if (is("value"))
        sem_getvalue(&p->sem, &value);
    else if (is("large"))
        (void)GET(p->rest[60000]);
    return arg;
}

static void *release(void *arg)
{
    if (is("initialised"))
        pthread_mutex_init(&p->mutex, NULL);
    else
        free(p);
    return arg;
}

/* ---- twins ---------------------------------------------------------------------------- */

static void *drop(void *arg)
{
    pthread_mutex_lock(&p->mutex);
    bool last = --p->users == 0;

    pthread_mutex_unlock(&p->mutex);
    if (last)
        pthread_mutex_destroy(&p->mutex), free(p);
    return arg;
}

static void *post(void *arg)
{
    PUT(p->rest[60000], 1);
    sem_post(&p->sem);
    return arg;
}

static void *free_posted(void *arg)
{
    sem_wait(&p->sem);
    sem_destroy(&p->sem);
    free(p);
    return arg;
}

static void *wait_for_done(void *arg)
{
    pthread_mutex_lock(&outside);
    while (!p->done)
        pthread_cond_wait(&p->cond, &outside);
    p->users--;
    pthread_mutex_unlock(&outside);
    return arg;
}

/* The waiter is awake when it gives up the mutex, if not before. */
static void *free_when_awake(void *arg)
{
    pthread_mutex_lock(&outside);
    p->done = true;
    pthread_cond_broadcast(&p->cond);
    pthread_mutex_unlock(&outside);
    pthread_mutex_lock(&outside);
    bool left = p->users == 1;

    pthread_mutex_unlock(&outside);
    if (left)
        pthread_cond_destroy(&p->cond), free(p);
    return arg;
}

static void *cross(void *arg)
{
    if (pthread_barrier_wait(&p->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&p->barrier), free(p);
    return arg;
}

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    p = calloc(1, sizeof *p);
    p->users = 2;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->cond, NULL);
    pthread_rwlock_init(&p->rwlock, NULL);
    pthread_spin_init(&p->spin, 0);
    pthread_barrier_init(&p->barrier, NULL, is("crossed") ? 2 : 1);
    sem_init(&p->sem, 0, 0);
    if (is("counted"))
        return run_two(argc, argv, drop, drop);
    if (is("posted"))
        return run_two(argc, argv, post, free_posted);
    if (is("woken"))
        return run_two(argc, argv, wait_for_done, free_when_awake);
    if (is("crossed"))
        return run_two(argc, argv, cross, cross);
    return run_two(argc, argv, use, release);
}
