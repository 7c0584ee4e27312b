/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_cond_wait_order.c - a thread that is cancelled in pthread_cond_wait has locked the mutex when
 * its handler runs: what other threads did with the mutex held happens before it.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int uses;

static void unlock(void *arg)
{
    uses++;
    IS(pthread_mutex_unlock(arg), 0);
}

static void *victim(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    pthread_cleanup_push(unlock, &m);
    for (;;)
        IS(pthread_cond_wait(&c, &m), 0);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t = start(victim, NULL);

    IS(pthread_cancel(t), 0);
    IS(pthread_mutex_lock(&m), 0);
    uses++;
    IS(pthread_mutex_unlock(&m), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(uses, 2);
    return 0;
}
