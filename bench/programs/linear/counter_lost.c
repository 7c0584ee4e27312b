/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter_lost.c - a counter whose operations tell nothing: only the state at the end shows that a step was lost.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int value;

static void add(int n)
{
    enter();
    int seen = atomic_load(&value);

    atomic_store(&value, seen + n);
    leave();
}

static void one(void)
{
    heddle_op_void(add(1));
    heddle_op_void(add(2));
}

static void two(void)
{
    heddle_op_void(add(4));
    heddle_op_void(add(8));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("value");
    heddle_element("%d", atomic_load(&value));
    return 0;
}
