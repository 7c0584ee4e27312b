/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map_move.c - a map whose move() removes the entry and then puts it elsewhere: a reader sees it nowhere.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int value[2] = { 7, 0 };

static void move(int from, int to)
{
    enter();
    int v = atomic_exchange(&value[from], 0);

    atomic_store(&value[to], v);
    leave();
}

static int count(void)
{
    enter();
    int n = atomic_load(&value[0]) != 0;

    n += atomic_load(&value[1]) != 0;
    leave();
    return n;
}

static void one(void)
{
    heddle_op_void(move(0, 1));
    heddle_op_void(move(1, 0));
}

static void two(void)
{
    heddle_op("%d", count());
    heddle_op("%d", count());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_map("map");
    for (int i = 0; i < 2; i++)
        heddle_element("%d=%d", i, value[i]);
    return 0;
}
