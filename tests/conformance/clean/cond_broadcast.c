/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_broadcast.c - one broadcast wakes all waiters. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    while (!ready)
        IS(pthread_cond_wait(&c, &m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);

    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    IS(pthread_cond_broadcast(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    finish(a);
    finish(b);
    return 0;
}
