/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_detach.c - a detached thread is not joined; main waits for its work, not for
 * its end. */
#include <semaphore.h>

#include "../conform.h"

static sem_t done;
static int x;

static void *by_itself(void *arg)
{
    IS(pthread_detach(pthread_self()), 0);
    x++;
    IS(sem_post(&done), 0);
    return arg;
}

static void *by_main(void *arg)
{
    IS(sem_post(&done), 0);
    return arg;
}

int main(void)
{
    IS(sem_init(&done, 0, 0), 0);
    start(by_itself, NULL);
    IS(sem_wait(&done), 0);
    IS(x, 1);
    IS(pthread_detach(start(by_main, NULL)), 0);
    IS(sem_wait(&done), 0);
    return 0;
}
