/* SPDX-License-Identifier: BSD-2-Clause
 *
 * register_halves.c - a register of two halves: a read between the two stores sees half of each value.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int low, high;

static void set(int v)
{
    enter();
    atomic_store(&low, v);
    atomic_store(&high, v);
    leave();
}

static int get(void)
{
    enter();
    int v = 10 * atomic_load(&high);

    v += atomic_load(&low);
    leave();
    return v;
}

static void one(void)
{
    heddle_op_void(set(1));
    heddle_op_void(set(2));
}

static void two(void)
{
    heddle_op("%d", get());
    heddle_op("%d", get());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", get());
    return 0;
}
