/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack_aba.c - a lock-free stack that reuses its nodes: a node that was popped and pushed again is taken for the
 * old one (ABA). The twin counts the changes of top.
 *
 * Expect: semantic, latent */
#include <heddle/linear.h>

#include <stdatomic.h>

enum { NODES = 4, COUNT = 16 };
static int next_of[NODES] = { -1, -1, 1, 2 };
static atomic_int next[NODES], top;

/* The node on top, and how often that has changed. */
static int changed(int old, int node)
{
#ifdef FIXED
    return (old / COUNT + 1) * COUNT + node + 1;
#else
    (void)old;
    return node + 1;
#endif
}

static void push(int node)
{
    int old = atomic_load(&top);

    do
        atomic_store(&next[node], old % COUNT - 1);
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static int pop(void)
{
    int old = atomic_load(&top);

    for (;;) {
        int node = old % COUNT - 1;

        if (node < 0)
            return -1;
        if (atomic_compare_exchange_strong(&top, &old, changed(old, atomic_load(&next[node]))))
            return node;
    }
}

static void one(void)
{
    heddle_op("%d", pop());
}

static void two(void)
{
    heddle_op("%d", pop());
    heddle_op("%d", pop());
    heddle_op_void(push(3));
}

int main(void)
{
    for (int i = 0; i < NODES; i++)
        next[i] = next_of[i];
    top = 4; /* 3, 2, 1 */
    heddle_clients(one, two);
    heddle_sequence("stack");
    for (int i = atomic_load(&top) % COUNT - 1; i >= 0; i = next[i])
        heddle_element("%d", i);
    return 0;
}
