/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sections T K - T threads make x++ under one mutex, K times each.
 *
 * Claim: none is lost.  (T K)! / (K!)^T classes: the orders of the sections. */
#include "classes.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int times, x;

static void *work(void *arg)
{
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&mutex);
        x++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(int argc, char **argv)
{
    int threads = argument(argc, argv, 1, 3);

    times = argument(argc, argv, 2, 2);
    run_threads(threads, work);
    assert(x == threads * times);
    return 0;
}
