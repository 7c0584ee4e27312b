/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_timedwait_errors.c - no thread signals: ETIMEDOUT with the time passed and the mutex
 * held; a time in the past at once; bad nanoseconds EINVAL. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *other(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(other, NULL);
    struct timespec end = in_ms(CLOCK_REALTIME, 2);
    int rc;

    IS(pthread_mutex_lock(&m), 0);
    do
        rc = pthread_cond_timedwait(&c, &m, &end);
    while (rc == 0);
    IS(rc, ETIMEDOUT);
    IS(reached(CLOCK_REALTIME, end), 1);
    end = in_ms(CLOCK_REALTIME, -1000);
    IS(pthread_cond_timedwait(&c, &m, &end), ETIMEDOUT);
    end.tv_nsec = 1000000000;
    IS(pthread_cond_timedwait(&c, &m, &end), EINVAL);
    end.tv_nsec = -1;
    IS(pthread_cond_timedwait(&c, &m, &end), EINVAL);
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    return 0;
}
