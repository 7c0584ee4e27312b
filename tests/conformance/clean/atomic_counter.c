/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_counter.c - two threads add to an atomic counter, one with fetch-add, one with
 * a compare-and-swap loop. */
#include <stdatomic.h>

#include "../conform.h"

static atomic_int x;

static void *worker(void *arg)
{
    int seen = atomic_load(&x);

    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL), u = start(worker, NULL);

    atomic_fetch_add(&x, 1);
    finish(t);
    finish(u);
    IS(x, 3);
    return 0;
}
