/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spins - two spin locks in opposite orders. */
#include "locks.h"

static pthread_spinlock_t a, b;

static void both(pthread_spinlock_t *first, pthread_spinlock_t *second)
{
    pthread_spin_lock(first);
    pthread_spin_lock(second);
    pthread_spin_unlock(second);
    pthread_spin_unlock(first);
}

static void *one(void *arg)
{
    both(&a, &b);
    return arg;
}

static void *other(void *arg)
{
    if (fixed())
        both(&a, &b);
    else
        both(&b, &a);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
    return run_two(argc, argv, one, other);
}
