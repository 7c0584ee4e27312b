/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ends_holding.c - a thread ends without unlocking; the mutex is not robust.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    pthread_mutex_lock(&m);
    return 0;
}
