/* SPDX-License-Identifier: BSD-2-Clause
 *
 * robust_park.c - polling with trylock for a robust mutex ends when its owner dies. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "../conform.h"

pthread_mutex_t m;
sem_t s;
void *t1(void *a)
{
    pthread_mutex_lock(&m);
    sem_post(&s);
    sched_yield();
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_mutexattr_t at;
    pthread_mutexattr_init(&at);
    pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &at);
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, t1, 0);
    sem_wait(&s);
    int rc;
    while ((rc = pthread_mutex_trylock(&m)) == EBUSY)
        ;
    assert(rc == EOWNERDEAD);
    pthread_mutex_consistent(&m);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
