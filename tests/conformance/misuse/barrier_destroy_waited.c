/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_destroy_waited.c - a barrier is destroyed while a thread waits at it.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_barrier_t b;

static void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 2);
    start(worker, NULL);
    pthread_barrier_destroy(&b);
    return 0;
}
