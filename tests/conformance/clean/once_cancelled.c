/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_cancelled.c - a routine that is cancelled did not run: the next caller runs it
 * again.
 * Reduction: threads are cancelled */
#include <semaphore.h>

#include "../conform.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t inside, never;
static int runs;

static void init(void)
{
    if (runs++ > 0)
        return;
    IS(sem_post(&inside), 0);
    sem_wait(&never);
    abort();
}

static void *victim(void *arg)
{
    pthread_once(&once, init);
    return arg;
}

int main(void)
{
    IS(sem_init(&inside, 0, 0), 0);
    IS(sem_init(&never, 0, 0), 0);
    pthread_t t = start(victim, NULL);
    IS(sem_wait(&inside), 0);
    IS(pthread_cancel(t), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(pthread_once(&once, init), 0);
    IS(runs, 2);
    return 0;
}
