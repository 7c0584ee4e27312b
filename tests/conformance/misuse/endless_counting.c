/* SPDX-License-Identifier: BSD-2-Clause
 *
 * endless_counting.c - an endless loop with yields that changes memory in each round, so
 * that no state repeats: only the user can say that it is too long.
 * Options: --strategy dfs --livelock 5000
 * Expect: livelock */
#include <sched.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_uint counter, stop;

static void *worker(void *arg)
{
    while (!atomic_load(&stop)) {
        atomic_fetch_add(&counter, 1);
        sched_yield();
    }
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
