/* SPDX-License-Identifier: BSD-2-Clause
 *
 * buffering - store buffering: each thread writes its own word and looks at the
 * other's.  Only if both see 0 do both touch the data, and in an interleaving they
 * cannot: no race is to be found here, and the verdict names the weak atomics. */
#include "races.h"

static int x, y, data;

static int order(void)
{
    return is("relaxed") ? __ATOMIC_RELAXED : is("fences") ? -1 : __ATOMIC_SEQ_CST;
}

static bool alone(int *mine, int *theirs)
{
    switch (order()) {
    case __ATOMIC_SEQ_CST:
        __atomic_store_n(mine, 1, __ATOMIC_SEQ_CST);
        return __atomic_load_n(theirs, __ATOMIC_SEQ_CST) == 0;
    case __ATOMIC_RELAXED:
        __atomic_store_n(mine, 1, __ATOMIC_RELAXED);
        return __atomic_load_n(theirs, __ATOMIC_RELAXED) == 0;
    default:
        __atomic_store_n(mine, 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return __atomic_load_n(theirs, __ATOMIC_RELAXED) == 0;
    }
}

static void *one(void *arg)
{
    if (alone(&x, &y))
        PUT(data, 1);
    return arg;
}

static void *other(void *arg)
{
    if (alone(&y, &x))
        PUT(data, 2);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, one, other);
}
