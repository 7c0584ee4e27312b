/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_never_posted.c - a thread waits for a unit that never comes, and main joins it.
 * Expect: deadlock */
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
    sem_init(&s, 0, 1);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    return 0;
}
