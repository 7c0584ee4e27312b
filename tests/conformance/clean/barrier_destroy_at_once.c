/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_destroy_at_once.c - the first thread that leaves the barrier may destroy it while the
 * other is still leaving. */
#include "../conform.h"

static pthread_barrier_t b;

static void *worker(void *arg)
{
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        IS(pthread_barrier_destroy(&b), 0);
    return arg;
}

int main(void)
{
    IS(pthread_barrier_init(&b, NULL, 2), 0);
    pthread_t t = start(worker, NULL);
    worker(NULL);
    finish(t);
    return 0;
}
