/* SPDX-License-Identifier: BSD-2-Clause
 *
 * divide_by_zero.c - an arithmetic trap in one order.
 * Expect: crash */
#include <stdatomic.h>

#include "../conform.h"

static atomic_int divisor = 1;

static void *worker(void *arg)
{
    atomic_store(&divisor, 0);
    atomic_store(&divisor, 2);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    volatile int quotient = 10 / atomic_load(&divisor);

    finish(t);
    return quotient > 10;
}
