/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancelled_holding.c - a thread is cancelled with a lock held and no handler.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_testcancel();
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    pthread_cancel(t);
    finish(t);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
