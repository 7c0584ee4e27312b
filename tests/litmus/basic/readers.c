/* SPDX-License-Identifier: BSD-2-Clause
 *
 * readers - two readers of a read-write lock.
 *
 * Claim: none; it is there to be counted.  Readers never block each other, so
 * main's two steps and the worker's three merge freely: C(5, 2) orders. */
#include "../litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    join(worker);
    return 0;
}
