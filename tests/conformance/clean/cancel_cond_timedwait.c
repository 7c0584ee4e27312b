/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_cond_timedwait.c - a timed wait is a cancellation point as well.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void unlock(void *arg)
{
    IS(pthread_mutex_unlock(arg), 0);
}

static void *victim(void *arg)
{
    struct timespec end = in_ms(CLOCK_REALTIME, 20);

    IS(pthread_mutex_lock(&m), 0);
    pthread_cleanup_push(unlock, &m);
    pthread_cond_timedwait(&c, &m, &end);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t = start(victim, NULL);

    IS(pthread_cancel(t), 0);
    void *value = finish(t);
    IS(value == PTHREAD_CANCELED || value == NULL, 1);
    IS(pthread_mutex_trylock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
