/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_order.c - exit handlers run last in, first out, also those registered by a
 * handler; returning from main is exit. */
#include "../conform.h"

static int order;

static void first(void)
{
    IS(order, 3);
}

static void second(void)
{
    IS(order++, 2);
}

static void nested(void)
{
    IS(order++, 1);
}

static void third(void)
{
    IS(order++, 0);
    IS(atexit(nested), 0);
}

static void with_status(int status, void *arg)
{
    IS(status, 0);
    IS(arg == &order, 1);
    IS(order, 0);
}

int main(void)
{
    IS(atexit(first), 0);
    IS(atexit(second), 0);
    IS(atexit(third), 0);
    IS(on_exit(with_status, &order), 0);
    return 0;
}
