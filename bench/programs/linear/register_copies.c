/* SPDX-License-Identifier: BSD-2-Clause
 *
 * register_copies.c - a register with two copies, for readers in turn: the second read may see the old value after
 * the first has seen the new one.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int copy[2];

static void set(int v)
{
    enter();
    atomic_store(&copy[0], v);
    atomic_store(&copy[1], v);
    leave();
}

static int get(int from)
{
    enter();
    int v = atomic_load(&copy[from]);

    leave();
    return v;
}

static void one(void)
{
    heddle_op_void(set(1));
}

static void two(void)
{
    heddle_op("%d", get(0));
    heddle_op("%d", get(1));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", get(1));
    return 0;
}
