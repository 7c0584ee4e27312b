/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_two_mutexes.c - two threads wait on one condition at the same time, each with its
 * own mutex.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    struct timespec end = in_ms(CLOCK_REALTIME, 1);

    pthread_mutex_lock(arg);
    pthread_cond_timedwait(&c, arg, &end);
    pthread_mutex_unlock(arg);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, &m[0]);

    worker(&m[1]);
    finish(t);
    return 0;
}
