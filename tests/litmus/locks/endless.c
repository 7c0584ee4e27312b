/* SPDX-License-Identifier: BSD-2-Clause
 *
 * endless - two threads deadlock while main works forever: found long before the
 * limit of steps, and not taken for an endless loop. */
#include "locks.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int done, work;

static void *one(void *arg)
{
    lock_both(&a, &b);
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return arg;
}

static void *other(void *arg)
{
    if (fixed())
        lock_both(&a, &b);
    else
        lock_both(&b, &a);
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    pthread_detach(spawn(one));
    pthread_detach(spawn(other));
    while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 2)
        __atomic_fetch_add(&work, 1, __ATOMIC_RELAXED);
    return 0;
}
