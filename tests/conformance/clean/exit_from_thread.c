/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_from_thread.c - a thread other than main ends the process with exit; main is
 * blocked, which is no deadlock. */
#include <semaphore.h>

#include "../conform.h"

static sem_t never;
static int x;

static void at_exit(void)
{
    IS(x, 1);
}

static void *worker(void *arg)
{
    x = 1;
    exit(0);
    return arg;
}

int main(void)
{
    IS(atexit(at_exit), 0);
    IS(sem_init(&never, 0, 0), 0);
    start(worker, NULL);
    sem_wait(&never);
    abort();
}
