/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_errorcheck.c - an error-checking mutex names every mistake instead of
 * deadlocking: EDEADLK, EPERM, EBUSY. The caller handles these, so nothing is to be
 * reported. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *intruder(void *arg)
{
    IS(pthread_mutex_unlock(&m), EPERM);
    IS(pthread_mutex_trylock(&m), EBUSY);
    IS(pthread_cond_wait(&c, &m), EPERM);
    return arg;
}

int main(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1000);

    IS(pthread_mutex_unlock(&m), EPERM);
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_lock(&m), EDEADLK);
    IS(pthread_mutex_timedlock(&m, &soon), EDEADLK);
    IS(pthread_mutex_trylock(&m), EBUSY);
    finish(start(intruder, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
