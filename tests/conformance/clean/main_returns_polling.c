/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_returns_polling.c - main returns while a thread polls forever: no livelock,
 * since the process ends. */
#include <sched.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_int never;

static void *worker(void *arg)
{
    while (atomic_load(&never) == 0)
        sched_yield();
    return arg;
}

int main(void)
{
    start(worker, NULL);
    return 0;
}
