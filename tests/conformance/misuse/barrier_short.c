/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_short.c - a barrier for three with only two coming.
 * Expect: deadlock */
#include "../conform.h"

static pthread_barrier_t b;

static void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 3);
    pthread_t t = start(worker, NULL);
    worker(NULL);
    finish(t);
    return 0;
}
