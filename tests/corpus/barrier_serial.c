/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_serial - which of two threads a barrier names as the serial one.
 *
 * Claim: never thread WHO.  False: POSIX allows either, and glibc takes the last to arrive. */
#include "../litmus/litmus.h"

#ifndef WHO
#define WHO 0
#endif

static pthread_barrier_t barrier;
static int serial[2];

static void *work(void *arg)
{
    *(int *)arg = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];

    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, &serial[i]);
    join(thread[0]);
    join(thread[1]);
    assert(serial[0] + serial[1] == 1);
    assert(!serial[WHO]);
    return 0;
}
