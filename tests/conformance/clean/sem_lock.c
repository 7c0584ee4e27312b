/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_lock.c - a semaphore of one as a lock for two threads. */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;
static int x;

static void *worker(void *arg)
{
    IS(sem_wait(&s), 0);
    x++;
    IS(sem_post(&s), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&s, 0, 1), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    IS(x, 2);
    IS(sem_destroy(&s), 0);
    return 0;
}
