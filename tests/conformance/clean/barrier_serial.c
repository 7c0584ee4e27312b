/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_serial.c - in each of two rounds exactly one thread is the serial one. */
#include "../conform.h"

static pthread_barrier_t b;
static int serial[2][2];

static void *worker(void *arg)
{
    int *mine = arg;

    for (int i = 0; i < 2; i++) {
        int rc = pthread_barrier_wait(&b);

        IS(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD, 1);
        mine[i] = rc == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    return arg;
}

int main(void)
{
    IS(pthread_barrier_init(&b, NULL, 2), 0);
    pthread_t t = start(worker, serial[0]);
    worker(serial[1]);
    finish(t);
    IS(serial[0][0] + serial[1][0], 1);
    IS(serial[0][1] + serial[1][1], 1);
    IS(pthread_barrier_destroy(&b), 0);
    return 0;
}
