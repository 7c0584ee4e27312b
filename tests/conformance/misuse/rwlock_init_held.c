/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_init_held.c - a lock is initialised again while another thread may hold it.
 * Expect: lock-misuse */
#include <sched.h>

#include "../conform.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg)
{
    pthread_rwlock_wrlock(&l);
    sched_yield();
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    sched_yield();
    pthread_rwlock_init(&l, NULL);
    finish(t);
    return 0;
}
