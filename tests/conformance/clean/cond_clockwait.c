/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_clockwait.c - clockwait takes the clock with the call; an unsuitable clock is
 * EINVAL. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    IS(pthread_cond_broadcast(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);
    struct timespec end = in_ms(CLOCK_MONOTONIC, 5);
    int rc = 0;

    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_cond_clockwait(&c, &m, CLOCK_THREAD_CPUTIME_ID, &end), EINVAL);
    while (!ready && rc == 0)
        rc = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &end);
    IS(ready || rc == ETIMEDOUT, 1);
    IS(rc == 0 || reached(CLOCK_MONOTONIC, end), 1);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    return 0;
}
