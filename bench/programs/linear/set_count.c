/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set_count.c - a set whose clear() empties it and then resets its counter: an element that is added in between is
 * not counted.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int member[4], count;

static void add(int v)
{
    enter();
    if (!atomic_exchange(&member[v], 1))
        atomic_fetch_add(&count, 1);
    leave();
}

static void clear(void)
{
    enter();
    for (int i = 0; i < 4; i++)
        atomic_store(&member[i], 0);
    atomic_store(&count, 0);
    leave();
}

static void one(void)
{
    heddle_op_void(add(1));
    heddle_op_void(add(3));
}

static void two(void)
{
    heddle_op_void(clear());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_set("members");
    for (int i = 0; i < 4; i++)
        if (member[i])
            heddle_element("%d", i);
    heddle_sequence("count");
    heddle_element("%d", count);
    return 0;
}
