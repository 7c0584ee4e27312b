/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_attributes.c - a barrier for no thread is EINVAL, for one it never waits; its
 * attribute reads back. */
#include "../conform.h"

int main(void)
{
    pthread_barrierattr_t attr;
    pthread_barrier_t b;
    int shared;

    IS(pthread_barrierattr_init(&attr), 0);
    IS(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_barrierattr_getpshared(&attr, &shared), 0);
    IS(shared, PTHREAD_PROCESS_SHARED);
    IS(pthread_barrierattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_barrier_init(&b, NULL, 0), EINVAL);
    IS(pthread_barrier_init(&b, &attr, 1), 0);
    IS(pthread_barrierattr_destroy(&attr), 0);
    IS(pthread_barrier_wait(&b), PTHREAD_BARRIER_SERIAL_THREAD);
    IS(pthread_barrier_wait(&b), PTHREAD_BARRIER_SERIAL_THREAD);
    IS(pthread_barrier_destroy(&b), 0);
    return 0;
}
