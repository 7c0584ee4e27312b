/* SPDX-License-Identifier: BSD-2-Clause
 *
 * graph.c - an undirected graph that keeps an edge at both of its ends: one end knows it already, the other one not yet.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int edge[2][2];

static void connect_both(int a, int b)
{
    enter();
    atomic_store(&edge[a][b], 1);
    atomic_store(&edge[b][a], 1);
    leave();
}

static int connected(int a, int b)
{
    enter();
    int there = atomic_load(&edge[a][b]);

    leave();
    return there;
}

static void one(void)
{
    heddle_op_void(connect_both(0, 1));
}

static void two(void)
{
    heddle_op("%d", connected(0, 1));
    heddle_op("%d", connected(1, 0));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_set("edges");
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (edge[a][b])
                heddle_element("%d-%d", a, b);
    return 0;
}
