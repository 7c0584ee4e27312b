/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_timedwait_monotonic.c - a condition with the monotonic clock times out by that
 * clock. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;

static void *signaller(void *arg)
{
    IS(pthread_cond_signal(&c), 0);
    return arg;
}

int main(void)
{
    pthread_condattr_t attr;

    IS(pthread_condattr_init(&attr), 0);
    IS(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC), 0);
    IS(pthread_cond_init(&c, &attr), 0);
    pthread_t t = start(signaller, NULL);
    struct timespec end = in_ms(CLOCK_MONOTONIC, 2);
    IS(pthread_mutex_lock(&m), 0);
    int rc = pthread_cond_timedwait(&c, &m, &end);
    IS(rc == 0 || rc == ETIMEDOUT, 1);
    IS(rc == 0 || reached(CLOCK_MONOTONIC, end), 1);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    IS(pthread_cond_destroy(&c), 0);
    return 0;
}
