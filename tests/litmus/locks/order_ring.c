/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order_ring - three threads, and read-write locks: the first schedule survives; where
 * all but one lock are taken for reading only, no thread waits. */
#include "locks.h"

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t c = PTHREAD_RWLOCK_INITIALIZER;

static void both(pthread_rwlock_t *first, pthread_rwlock_t *second)
{
    pthread_rwlock_rdlock(first);
    if (is("readers"))
        pthread_rwlock_rdlock(second);
    else
        pthread_rwlock_wrlock(second);
    pthread_rwlock_unlock(second);
    pthread_rwlock_unlock(first);
}

static void *one(void *arg)
{
    both(&a, &b);
    return arg;
}

static void *two(void *arg)
{
    both(&b, &c);
    return arg;
}

static void *three(void *arg)
{
    if (fixed())
        both(&a, &c);
    else
        both(&c, &a);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    pthread_t t[] = { spawn(one), spawn(two), spawn(three) };

    for (int i = 0; i < 3; i++)
        join(t[i]);
    return 0;
}
