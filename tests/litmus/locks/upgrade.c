/* SPDX-License-Identifier: BSD-2-Clause
 *
 * upgrade - readers that want to write without letting go: each waits for all
 * readers, itself included. */
#include "locks.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *one(void *arg)
{
    pthread_rwlock_rdlock(&l);
    if (fixed())
        pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, one, one);
}
