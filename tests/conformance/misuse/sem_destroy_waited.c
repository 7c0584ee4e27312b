/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_destroy_waited.c - a semaphore is destroyed while a thread waits for it, or
 * before it does.
 * Expect: lock-misuse */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;

static void *worker(void *arg)
{
    sem_wait(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    pthread_t t = start(worker, NULL);
    sem_destroy(&s);
    finish(t);
    return 0;
}
