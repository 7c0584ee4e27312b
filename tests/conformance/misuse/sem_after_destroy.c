/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_after_destroy.c - a semaphore is posted after it was destroyed: the waiter must
 * not destroy what the poster may still use.
 * Expect: lock-misuse */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;

static void *worker(void *arg)
{
    sem_post(&s);
    sem_post(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    pthread_t t = start(worker, NULL);
    sem_wait(&s);
    sem_destroy(&s);
    finish(t);
    return 0;
}
