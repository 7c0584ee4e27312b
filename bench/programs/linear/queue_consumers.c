/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_consumers.c - a queue for one consumer with two of them: both take the same element.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

enum { SLOTS = 8 };
static atomic_int slot[SLOTS] = { 1, 2, 3 }, head, tail = 3;

static int dequeue(void)
{
    int v = 0;

    enter();
    int at = atomic_load(&head);

    if (at < atomic_load(&tail)) {
        v = atomic_load(&slot[at]);
        atomic_store(&head, at + 1);
    }
    leave();
    return v;
}

static void one(void)
{
    heddle_op("%d", dequeue());
    heddle_op("%d", dequeue());
}

static void two(void)
{
    heddle_op("%d", dequeue());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("queue");
    for (int i = atomic_load(&head); i < atomic_load(&tail); i++)
        heddle_element("%d", atomic_load(&slot[i]));
    return 0;
}
