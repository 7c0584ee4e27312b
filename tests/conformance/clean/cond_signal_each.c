/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_signal_each.c - two waiters, two signals, each waiter takes one unit. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int units;

static void *taker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    while (units == 0)
        IS(pthread_cond_wait(&c, &m), 0);
    units--;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t a = start(taker, NULL), b = start(taker, NULL);

    IS(pthread_mutex_lock(&m), 0);
    units = 2;
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_cond_signal(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    finish(a);
    finish(b);
    IS(units, 0);
    return 0;
}
