/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trylock_forever.c - a thread polls trylock for a mutex whose holder waits for that
 * thread.
 * Expect: livelock */
#include <sched.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    while (pthread_mutex_trylock(&m) != 0)
        sched_yield();
    return arg;
}

int main(void)
{
    pthread_mutex_lock(&m);
    finish(start(worker, NULL));
    return 0;
}
