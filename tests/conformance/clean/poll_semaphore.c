/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_semaphore.c - polling a semaphore with sem_getvalue and sem_trywait. */
#include <sched.h>
#include <semaphore.h>

#include "../conform.h"

static sem_t s;

static void *poster(void *arg)
{
    IS(sem_post(&s), 0);
    return arg;
}

int main(void)
{
    int v = 0;

    IS(sem_init(&s, 0, 0), 0);
    pthread_t t = start(poster, NULL);
    while (sem_getvalue(&s, &v) == 0 && v == 0)
        sched_yield();
    while (sem_trywait(&s) != 0)
        sched_yield();
    finish(t);
    return 0;
}
