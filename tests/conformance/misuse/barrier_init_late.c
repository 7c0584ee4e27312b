/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_init_late.c - a thread comes to a barrier that another initialises, which may
 * be too late.
 * Expect: lock-misuse */
#include <sched.h>

#include "../conform.h"

static pthread_barrier_t b;

static void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    sched_yield();
    pthread_barrier_init(&b, NULL, 1);
    finish(t);
    return 0;
}
