/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin - a lock made of an atomic: test and set with acquire, clear with release. */
#include "races.h"

#include <stdatomic.h>

static int x;
static atomic_flag taken = ATOMIC_FLAG_INIT;

static void *work(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
    PUT(x, GET(x) + 1);
    if (is("relaxed"))
        atomic_flag_clear_explicit(&taken, memory_order_relaxed);
    else
        atomic_flag_clear_explicit(&taken, memory_order_release);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, work, work);
}
