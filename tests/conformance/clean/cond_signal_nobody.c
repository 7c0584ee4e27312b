/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_signal_nobody.c - signals and broadcasts without a waiter are allowed and
 * forgotten. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *nobody(void *arg)
{
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_cond_broadcast(&c), 0);
    return arg;
}

int main(void)
{
    struct timespec t = in_ms(CLOCK_REALTIME, 2);

    finish(start(nobody, NULL));
    IS(pthread_mutex_lock(&m), 0);
    int rc = pthread_cond_timedwait(&c, &m, &t);
    IS(rc == ETIMEDOUT || rc == 0, 1);
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
