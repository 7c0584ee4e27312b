/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_destroy_after_broadcast.c - a condition may be destroyed as soon as no thread is
 * blocked on it: the woken waiter may still be on its way to the mutex. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready, waiting;

static void *waiter(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    waiting = 1;
    while (!ready)
        IS(pthread_cond_wait(&c, &m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    IS(pthread_cond_init(&c, NULL), 0);
    pthread_t t = start(waiter, NULL);

    IS(pthread_mutex_lock(&m), 0);
    ready = 1;
    if (waiting)
        IS(pthread_cond_broadcast(&c), 0);
    IS(pthread_mutex_unlock(&m), 0);
    IS(pthread_cond_destroy(&c), 0);
    finish(t);
    return 0;
}
