/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter - x++ of two threads: bare, under one lock, under two, as an atomic. */
#include "races.h"

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void add(pthread_mutex_t *lock)
{
    if (is("atomic")) {
        __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
        return;
    }
    if (!is("bare"))
        pthread_mutex_lock(lock);
    PUT(x, GET(x) + 1);
    if (!is("bare"))
        pthread_mutex_unlock(lock);
}

static void *one(void *arg)
{
    add(&m);
    return arg;
}

static void *other(void *arg)
{
    add(is("two-locks") ? &n : &m);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, one, other);
}
