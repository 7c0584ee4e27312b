/* SPDX-License-Identifier: BSD-2-Clause
 *
 * priority.c - a priority queue with a counter for each priority: a client that looks for the smallest element has passed
 * the counter of 1 when 1 and then 2 are inserted, and takes 2 although 1 is there.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

enum { PRIORITIES = 4 };
static atomic_int waiting[PRIORITIES];

static void insert(int priority)
{
    enter();
    atomic_fetch_add(&waiting[priority], 1);
    leave();
}

/* Returns 0 if there is none. */
static int remove_least(void)
{
    int found = 0;

    enter();
    for (int i = 1; i < PRIORITIES && found == 0; i++)
        if (atomic_load(&waiting[i]) > 0) {
            atomic_fetch_sub(&waiting[i], 1); /* one client removes */
            found = i;
        }
    leave();
    return found;
}

static void one(void)
{
    heddle_op_void(insert(1));
    heddle_op_void(insert(2));
}

static void two(void)
{
    heddle_op("%d", remove_least());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_multiset("waiting");
    for (int i = 1; i < PRIORITIES; i++)
        for (int k = 0; k < waiting[i]; k++)
            heddle_element("%d", i);
    return 0;
}
