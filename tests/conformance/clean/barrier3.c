/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier3.c - three threads meet at a barrier; before it each has written, after it
 * each sees all. */
#include "../conform.h"

static pthread_barrier_t b;
static int x[3];

static void *worker(void *arg)
{
    int *mine = arg;

    *mine = 1;
    int rc = pthread_barrier_wait(&b);
    IS(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD, 1);
    IS(x[0] + x[1] + x[2], 3);
    return NULL;
}

int main(void)
{
    IS(pthread_barrier_init(&b, NULL, 3), 0);
    pthread_t t = start(worker, &x[1]), u = start(worker, &x[2]);
    worker(&x[0]);
    finish(t);
    finish(u);
    IS(pthread_barrier_destroy(&b), 0);
    return 0;
}
