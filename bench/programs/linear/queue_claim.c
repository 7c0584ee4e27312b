/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_claim.c - a queue in an array: an enqueuer claims its slot before it fills it, and a dequeuer that finds
 * it empty says that the queue is, although a later element is there.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

enum { SLOTS = 8 };
static atomic_int slot[SLOTS], head, tail;

static void enqueue(int v)
{
    enter();
    int at = atomic_fetch_add(&tail, 1);

    atomic_store(&slot[at], v);
    leave();
}

static int dequeue(void)
{
    int v = 0;

    enter();
    int at = atomic_load(&head);

    if (at < atomic_load(&tail))
        v = atomic_load(&slot[at]);
    if (v != 0)
        atomic_store(&head, at + 1); /* there is one dequeuer */
    leave();
    return v;
}

static void one(void)
{
    heddle_op_void(enqueue(1));
}

static void two(void)
{
    heddle_op_void(enqueue(2));
    heddle_op("%d", dequeue());
}

int main(void)
{
    heddle_clients(one, two);
    heddle_op("%d", dequeue());
    return 0;
}
