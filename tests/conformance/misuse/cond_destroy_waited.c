/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_destroy_waited.c - a condition is destroyed while a thread waits on it.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    waiting = 1;
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    start(worker, NULL);
    pthread_mutex_lock(&m);
    if (waiting)
        pthread_cond_destroy(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
