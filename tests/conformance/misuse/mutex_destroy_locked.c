/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_destroy_locked.c - a mutex is destroyed while a thread holds it.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    pthread_mutex_destroy(&m);
    finish(t);
    return 0;
}
