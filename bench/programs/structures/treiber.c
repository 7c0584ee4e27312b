/* SPDX-License-Identifier: BSD-2-Clause
 *
 * treiber - a lock-free stack: a list whose head is compared and swapped (Treiber's).
 *
 * Three items; one thread takes one, the other takes two and puts the first back.  Claim:
 * items.h.  Nodes that were taken are kept until both threads have ended.
 * REUSE: the second thread puts the same node back, and the first, which has read that
 * node's successor before, does not notice (ABA).  FREE_NOW: nodes are freed at once, while
 * the other thread may be looking at them; with --heap=recycle the address comes back, and
 * it is ABA again.  PLAIN_PUSH: the head is written, not compared; what another did in
 * between is lost. */
#include "../program.h"

#include "items.h"

struct node {
    struct node *next;
    struct node *retired;
    int item;
};

static struct node *head;
static struct node *retired[2]; /* each thread its own */

static struct node *new_node(int item)
{
    struct node *node = malloc(sizeof *node);

    assert(node);
    node->item = item;
    return node;
}

static void push(struct node *node)
{
    struct node *seen;

    do {
        seen = atomic_read(head);
        atomic_write(node->next, seen);
#ifdef PLAIN_PUSH
        atomic_write(head, node);
        return;
#endif
    } while (!atomic_cas(head, seen, node));
}

static struct node *pop(void)
{
    struct node *seen, *next;

    do {
        seen = atomic_read(head);
        if (seen == NULL)
            return NULL;
        next = atomic_read(seen->next);
    } while (!atomic_cas(head, seen, next));
    return seen;
}

static void dispose(struct node *node, int me)
{
#ifdef FREE_NOW
    (void)me;
    free(node);
#else
    node->retired = retired[me];
    retired[me] = node;
#endif
}

static void *take_one(void *arg)
{
    struct node *node = pop();

    if (node) {
        taken(node->item);
        dispose(node, 0);
    }
    return arg;
}

static void *take_two(void *arg)
{
    struct node *first = pop(), *second = pop();
    int item = first->item; /* there are three, and the other takes one */

    taken(second->item);
    dispose(second, 1);
#ifdef REUSE
    push(first);
    (void)item;
#else
    dispose(first, 1);
    push(new_node(item));
#endif
    return arg;
}

static void free_retired(void)
{
    for (int i = 0; i < 2; i++)
        while (retired[i]) {
            struct node *node = retired[i];

            retired[i] = node->retired;
            free(node);
        }
}

int main(void)
{
    pthread_t one, two;
    struct node *node;

    for (int item = 1; item <= 3; item++)
        push(new_node(item));
    one = spawn(take_one);
    two = spawn(take_two);
    join(one);
    join(two);
    while ((node = pop())) {
        taken(node->item);
        dispose(node, 0);
    }
    all_were_taken(3);
    free_retired();
    return 0;
}
