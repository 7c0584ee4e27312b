/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_cond_wait.c - cancelling a thread in pthread_cond_wait runs its handler with
 * the mutex held again.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void *arg)
{
    cleaned = 1;
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
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(pthread_mutex_lock(&m), 0);
    IS(cleaned, 1);
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
