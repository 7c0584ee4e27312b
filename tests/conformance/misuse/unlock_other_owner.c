/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unlock_other_owner.c - a thread unlocks a mutex that another thread holds.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_mutex_lock(&m);
    finish(start(worker, NULL));
    return 0;
}
