/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_sem_timedwait.c - a thread is cancelled in a wait whose time is never over.
 * Options: --strategy dfs --timeouts idle
 * Reduction: threads are cancelled */
#include <semaphore.h>

#include "../conform.h"

static sem_t ready, never;

static void *victim(void *arg)
{
    struct timespec until = in_ms(CLOCK_REALTIME, 1000000000);

    sem_post(&ready);
    sem_timedwait(&never, &until);
    return arg;
}

int main(void)
{
    IS(sem_init(&ready, 0, 0), 0);
    IS(sem_init(&never, 0, 0), 0);
    pthread_t t = start(victim, NULL);

    IS(sem_wait(&ready), 0);
    IS(pthread_cancel(t), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    return 0;
}
