/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object_reuse.c - objects of every kind are made, used and destroyed where others of
 * their kind were destroyed before, by static initialisers as well as by init. */
#include <semaphore.h>

#include "../conform.h"

static pthread_mutex_t m;

static void *notifier(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(arg);
    pthread_mutex_unlock(&m);
    return NULL;
}

static __attribute__((noinline)) void condition(void)
{
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;

    m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_t t = start(notifier, &c);
    pthread_cond_wait(&c, &m);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    IS(pthread_cond_destroy(&c), 0);
    IS(pthread_mutex_destroy(&m), 0);
}

static __attribute__((noinline)) void rwlock(void)
{
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

    IS(pthread_rwlock_rdlock(&l), 0);
    IS(pthread_rwlock_unlock(&l), 0);
    IS(pthread_rwlock_destroy(&l), 0);
}

static __attribute__((noinline)) void others(void)
{
    sem_t s;
    pthread_spinlock_t l;
    pthread_barrier_t b;

    IS(sem_init(&s, 0, 1), 0);
    IS(sem_wait(&s), 0);
    IS(sem_destroy(&s), 0);
    IS(pthread_spin_init(&l, 0), 0);
    IS(pthread_spin_lock(&l), 0);
    IS(pthread_spin_unlock(&l), 0);
    IS(pthread_spin_destroy(&l), 0);
    IS(pthread_barrier_init(&b, NULL, 1), 0);
    IS(pthread_barrier_wait(&b), PTHREAD_BARRIER_SERIAL_THREAD);
    IS(pthread_barrier_destroy(&b), 0);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        condition();
        rwlock();
        others();
    }
    return 0;
}
