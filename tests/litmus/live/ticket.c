/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ticket - a ticket lock; every thread waits for its number.
 *
 * fixed: a thread that leaves serves the next.  bug: a thread that finds the work done leaves
 * without: the thread that waits behind it polls forever. */
#include "live.h"

static int next, serving, done;

static void *body(void *arg)
{
    int mine = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);

    while (get(serving) != mine)
        sched_yield();
    if (is("bug") && done == 1)
        return arg;
    done++;
    put(serving, mine + 1);
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
