/* SPDX-License-Identifier: BSD-2-Clause
 *
 * abba_mixed.c - a circle of an rwlock held for reading, a semaphore and a mutex.
 * Expect: deadlock */
#include <semaphore.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&rw);
    sem_wait(&s);
    pthread_rwlock_unlock(&rw);
    sem_post(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    pthread_t t = start(reader, NULL);
    pthread_mutex_lock(&m);
    sem_wait(&s);
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    sem_post(&s);
    pthread_mutex_unlock(&m);
    finish(t);
    return 0;
}
