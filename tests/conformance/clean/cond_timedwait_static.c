/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_timedwait_static.c - a timed wait on statically initialised objects ends with the
 * flag or with the time-out, holding the mutex either way. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);
    struct timespec end = in_ms(CLOCK_REALTIME, 5);
    int rc = 0;

    IS(pthread_mutex_lock(&m), 0);
    while (!ready && rc == 0)
        rc = pthread_cond_timedwait(&c, &m, &end);
    IS(rc == 0 || rc == ETIMEDOUT, 1);
    IS(rc == ETIMEDOUT || ready, 1);
    ready = 2;
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    return 0;
}
