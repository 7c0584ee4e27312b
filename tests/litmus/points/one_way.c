/* SPDX-License-Identifier: BSD-2-Clause
 *
 * one_way - two places race at two cells, at each in one order only: relaxed atomics keep
 * the order and order nothing.  "Both orders" is a word for one cell. */
#include "points.h"

#include <stdatomic.h>

shared int cell[2];
static atomic_int written, seen;

static __attribute__((noinline)) void put(int i)
{
    cell[i] = 1;
}

static __attribute__((noinline)) int get(int i)
{
    return cell[i];
}

static void *one(void *arg)
{
    put(0);
    atomic_store_explicit(&written, 1, memory_order_relaxed);
    if (atomic_load_explicit(&seen, memory_order_relaxed))
        put(1);
    return arg;
}

static void *other(void *arg)
{
    int was = get(1);

    atomic_store_explicit(&seen, 1, memory_order_relaxed);
    if (atomic_load_explicit(&written, memory_order_relaxed))
        was += get(0);
    assert(was <= 1);
    return arg;
}

int main(void)
{
    run_two(one, other);
    return 0;
}
