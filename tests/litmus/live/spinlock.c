/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spinlock - test-and-set; two threads, one section each.
 *
 * fixed: a thread that waits spins until the other has left.  bug: a thread that finds the work done
 * leaves without unlocking. */
#include "live.h"

static bool locked;
static int done;

static void *body(void *arg)
{
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
        if (is("yield"))
            sched_yield();
    if (is("bug") && done == 1)
        return arg;
    done++;
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t third = spawn(body);

    run_both(body);
    join(third);
    return 0;
}
