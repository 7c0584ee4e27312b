/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_exchange.c - waiting for a flag lock with an exchange that stores what is there
 * already. */
#include <stdatomic.h>

#include "../conform.h"

static atomic_int held;
static int x;

static void *worker(void *arg)
{
    while (atomic_exchange(&held, 1) != 0)
        ;
    x++;
    atomic_store(&held, 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
