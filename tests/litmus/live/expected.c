/* SPDX-License-Identifier: BSD-2-Clause
 *
 * expected - two threads push onto a stack and pop; what the compare-and-swap of push
 * expects is in the node, so one that fails changes memory, and succeeds the next time. */
#include "live.h"

struct node {
    struct node *next;
};

static struct node *head;

static void *push_and_pop(void *arg)
{
    struct node *n = malloc(sizeof *n), *top;

    n->next = get(head);
    while (!__atomic_compare_exchange_n(&head, &n->next, n, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    top = get(head);
    if (top == n) /* nodes stay: no thread may come to a node that is free */
        __atomic_compare_exchange_n(&head, &top, NULL, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    run_both(push_and_pop);
    return 0;
}
