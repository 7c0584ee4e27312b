/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_detached_late.c - a thread is detached while another waits to join it: one of
 * both, whichever has its turn later, makes a mistake.
 * Expect: lock-misuse */
#include <semaphore.h>

#include "../conform.h"

static pthread_t t;
static sem_t go;

static void *waits(void *arg)
{
    sem_wait(&go);
    return arg;
}

static void *detaches(void *arg)
{
    pthread_detach(t);
    sem_post(&go);
    return arg;
}

int main(void)
{
    sem_init(&go, 0, 0);
    t = start(waits, NULL);
    pthread_t other = start(detaches, NULL);
    pthread_join(t, NULL);
    finish(other);
    return 0;
}
