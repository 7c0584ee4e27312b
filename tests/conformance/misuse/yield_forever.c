/* SPDX-License-Identifier: BSD-2-Clause
 *
 * yield_forever.c - a thread yields forever for a flag that no thread sets.
 * Expect: livelock */
#include <sched.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_int flag;

static void *worker(void *arg)
{
    while (!atomic_load(&flag))
        sched_yield();
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
