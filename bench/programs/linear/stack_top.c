/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack_top.c - a stack whose top() reads the index and then the element: in between the element was exchanged.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int item[8] = { 1, 2 }, nitems = 2;

static int pop(void)
{
    enter();
    int n = atomic_load(&nitems), v = n > 0 ? atomic_load(&item[n - 1]) : 0;

    atomic_store(&nitems, n > 0 ? n - 1 : 0);
    leave();
    return v;
}

static void push(int v)
{
    enter();
    int n = atomic_load(&nitems);

    atomic_store(&item[n], v);
    atomic_store(&nitems, n + 1);
    leave();
}

static int top(void)
{
    enter();
    int n = atomic_load(&nitems), v = n > 0 ? atomic_load(&item[n - 1]) : 0;

    leave();
    return v;
}

static void one(void)
{
    heddle_op("%d", pop());
    heddle_op("%d", pop());
    heddle_op_void(push(3));
}

static void two(void)
{
    heddle_op("%d", top());
    heddle_op("%d", top());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("stack");
    for (int i = 0; i < nitems; i++)
        heddle_element("%d", item[i]);
    return 0;
}
