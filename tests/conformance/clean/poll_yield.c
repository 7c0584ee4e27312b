/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_yield.c - polling a flag with sched_yield: finite to explore, since nothing
 * changes until the flag is written. */
#include <sched.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_int ready;
static int data;

static void *setter(void *arg)
{
    data = 42;
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);

    while (!atomic_load(&ready))
        sched_yield();
    IS(data, 42);
    finish(t);
    return 0;
}
