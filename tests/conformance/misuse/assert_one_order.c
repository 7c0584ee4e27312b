/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assert_one_order.c - a lost update between two atomic operations, caught by an
 * assertion.
 * Expect: assertion */
#include <assert.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_int x;

static void *worker(void *arg)
{
    int seen = atomic_load(&x);

    atomic_store(&x, seen + 1);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    assert(atomic_load(&x) == 2);
    return 0;
}
