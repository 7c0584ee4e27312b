/* SPDX-License-Identifier: BSD-2-Clause
 *
 * permits.c - two threads need two permits each, and there are two. */
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static void *worker(void *arg)
{
    sem_wait(&permits);
    sem_wait(&permits);
    sem_post(&permits);
    sem_post(&permits);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&permits, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
