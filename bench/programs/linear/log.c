/* SPDX-License-Identifier: BSD-2-Clause
 *
 * log.c - a log whose writer claims a line, announces it and then writes it: a reader sees an empty line.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int line[4], length;

static void append(int v)
{
    enter();
    int at = atomic_fetch_add(&length, 1);

    atomic_store(&line[at], v);
    leave();
}

static int last(void)
{
    enter();
    int n = atomic_load(&length), v = n > 0 ? atomic_load(&line[n - 1]) : -1;

    leave();
    return v;
}

static void one(void)
{
    heddle_op_void(append(1));
    heddle_op_void(append(2));
}

static void two(void)
{
    heddle_op("%d", last());
    heddle_op("%d", last());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("log");
    for (int i = 0; i < length; i++)
        heddle_element("%d", line[i]);
    return 0;
}
