/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal_not_broadcast.c - two waiters, one signal where a broadcast was needed.
 * Expect: deadlock */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);

    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    finish(a);
    finish(b);
    return 0;
}
