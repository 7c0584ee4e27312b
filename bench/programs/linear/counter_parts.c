/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter_parts.c - a counter in two parts: the sum reads them one after the other, and may have a value that the
 * counter never had.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int part[2];

static void add(int to, int n)
{
    enter();
    atomic_fetch_add(&part[to], n);
    leave();
}

static int sum(void)
{
    enter();
    int n = atomic_load(&part[0]);

    n += atomic_load(&part[1]);
    leave();
    return n;
}

static void one(void)
{
    heddle_op_void(add(0, 1));
    heddle_op_void(add(1, 2));
}

static void two(void)
{
    heddle_op("%d", sum());
    heddle_op("%d", sum());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", sum());
    return 0;
}
