/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handler - a handler of exit waits for a lock whose holder waits forever: the
 * process never ends. A thread that is merely blocked at exit does no harm. */
#include <semaphore.h>

#include "locks.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void at_exit(void)
{
    lock(&m);
    unlock(&m);
}

static void *one(void *arg)
{
    lock(&m);
    if (fixed())
        unlock(&m);
    sem_wait(&never);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    sem_init(&never, 0, 0);
    pthread_detach(spawn(one));
    atexit(at_exit);
    return 0;
}
