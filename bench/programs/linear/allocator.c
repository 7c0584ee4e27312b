/* SPDX-License-Identifier: BSD-2-Clause
 *
 * allocator.c - an allocator with a bit for each block: two clients find the same bit free.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int busy[3];

static int allocate(void)
{
    int found = -1;

    enter();
    for (int i = 0; i < 3 && found < 0; i++)
        if (!atomic_load(&busy[i])) {
            atomic_store(&busy[i], 1);
            found = i;
        }
    leave();
    return found;
}

static void release(int i)
{
    enter();
    atomic_store(&busy[i], 0);
    leave();
}

static void one(void)
{
    heddle_op("%d", allocate());
    heddle_op_void(release(0));
}

static void two(void)
{
    heddle_op("%d", allocate());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_set("busy");
    for (int i = 0; i < 3; i++)
        if (busy[i])
            heddle_element("%d", i);
    return 0;
}
