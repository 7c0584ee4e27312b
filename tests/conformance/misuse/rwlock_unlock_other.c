/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_unlock_other.c - a thread unlocks the write lock of another.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg)
{
    pthread_rwlock_unlock(&rw);
    return arg;
}

int main(void)
{
    pthread_rwlock_wrlock(&rw);
    finish(start(worker, NULL));
    return 0;
}
