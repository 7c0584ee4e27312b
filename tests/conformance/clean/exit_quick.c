/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_quick.c - quick_exit runs its own handlers, last in, first out, and not those of
 * exit. */
#include "../conform.h"

static int order;

static void first(void)
{
    IS(order, 1);
}

static void second(void)
{
    IS(order++, 0);
}

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    IS(atexit(abort), 0);
    IS(at_quick_exit(first), 0);
    IS(at_quick_exit(second), 0);
    finish(start(worker, NULL));
    quick_exit(0);
}
