/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_trylock.c - waiting for a mutex by polling trylock. */
#include <sched.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    while (pthread_mutex_trylock(&m) != 0)
        sched_yield();
    x++;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
