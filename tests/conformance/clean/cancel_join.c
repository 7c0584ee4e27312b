/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_join.c - cancelling a thread in pthread_join leaves the other thread joinable.
 * Reduction: threads are cancelled */
#include <semaphore.h>

#include "../conform.h"

static sem_t go;

static void *slow(void *arg)
{
    IS(sem_wait(&go), 0);
    return arg;
}

static void *victim(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    abort();
}

int main(void)
{
    IS(sem_init(&go, 0, 0), 0);
    pthread_t target = start(slow, &go);
    pthread_t t = start(victim, &target);
    IS(pthread_cancel(t), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(sem_post(&go), 0);
    IS(finish(target) == &go, 1);
    return 0;
}
