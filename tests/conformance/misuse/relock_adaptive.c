/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock_adaptive.c - an adaptive mutex locked again by its holder waits for itself, in
 * a thread that is joined.
 * Expect: deadlock */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
