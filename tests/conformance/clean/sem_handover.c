/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_handover.c - semaphores hand data to and fro between two threads. */
#include <semaphore.h>

#include "../conform.h"

static sem_t ask, answer;
static int x;

static void *server(void *arg)
{
    IS(sem_wait(&ask), 0);
    x = x * 2;
    IS(sem_post(&answer), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&ask, 0, 0), 0);
    IS(sem_init(&answer, 1, 0), 0);
    pthread_t t = start(server, NULL);
    x = 21;
    IS(sem_post(&ask), 0);
    IS(sem_wait(&answer), 0);
    IS(x, 42);
    finish(t);
    return 0;
}
