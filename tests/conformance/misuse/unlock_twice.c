/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unlock_twice.c - the second unlock of one lock; with another thread around this would
 * free another thread's lock.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
