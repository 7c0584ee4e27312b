/* SPDX-License-Identifier: BSD-2-Clause
 *
 * iteration.c - a list that is walked while elements are put at its front: the walk misses an element that was
 * there before one that it sees.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

enum { SIZE = 4 };
static atomic_int present[SIZE];

static void insert(int v)
{
    enter();
    atomic_store(&present[v], 1);
    leave();
}

/* The elements as digits. */
static int walk(void)
{
    int all = 0;

    enter();
    for (int i = 1; i < SIZE; i++)
        if (atomic_load(&present[i]))
            all = 10 * all + i;
    leave();
    return all;
}

static void one(void)
{
    heddle_op_void(insert(1));
    heddle_op_void(insert(3));
}

static void two(void)
{
    heddle_op("%d", walk());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", walk());
    return 0;
}
