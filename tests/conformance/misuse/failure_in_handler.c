/* SPDX-License-Identifier: BSD-2-Clause
 *
 * failure_in_handler.c - an exit handler fails if the thread has not come that far.
 * Expect: assertion */
#include <assert.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_int x;

static void at_exit(void)
{
    assert(atomic_load(&x) == 1);
}

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    atexit(at_exit);
    start(worker, NULL);
    return 0;
}
