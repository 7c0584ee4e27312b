/* SPDX-License-Identifier: BSD-2-Clause
 *
 * announced_stack - Treiber's stack whose nodes are freed: a thread that takes one announces that it looks
 * at nodes, and a node that was taken is freed at once only if no thread does.
 *
 * Three items; one thread takes one, the other takes two and puts the first back, in a new node.
 * Claim: items.h, and nothing is used after it was freed.  CAS_OUTSIDE: the head is compared and
 * swapped after the announcement was withdrawn: no freed node is read, but with --heap=recycle
 * the new node may have the address of the old one (ABA).  NO_ANNOUNCEMENT: no thread announces
 * anything. */
#include "../program.h"

#include "items.h"

struct node {
    struct node *next;
    int item;
};

static struct node *head;
static int looking;
static struct node *kept[MOST_ITEMS]; /* to be freed by main */
static int kept_count;

static struct node *new_node(int item)
{
    struct node *node = malloc(sizeof *node);

    assert(node);
    node->item = item;
    return node;
}

static void announce(int change)
{
#ifdef NO_ANNOUNCEMENT
    (void)change;
#else
    atomic_add(looking, change);
#endif
}

static void push(struct node *node)
{
    struct node *seen;

    do {
        seen = atomic_read(head);
        atomic_write(node->next, seen);
    } while (!atomic_cas(head, seen, node));
}

/* One attempt; sets *taken_node to what was taken, NULL: there was none. */
static bool try_to_pop(struct node **taken_node)
{
    struct node *seen, *next = NULL;
    bool is_done;

    announce(1);
    seen = atomic_read(head);
    if (seen)
        next = atomic_read(seen->next);
#ifdef CAS_OUTSIDE
    announce(-1);
    is_done = atomic_cas(head, seen, next);
#else
    is_done = atomic_cas(head, seen, next);
    announce(-1);
#endif
    *taken_node = seen;
    return is_done;
}

static struct node *pop(void)
{
    struct node *node;

    while (!try_to_pop(&node))
        ;
    return node;
}

static void keep(struct node *node)
{
    kept[atomic_add(kept_count, 1)] = node;
}

/* A thread that announces from now on does not find it any more. */
static void dispose(struct node *node)
{
    if (atomic_read(looking) == 0)
        free(node);
    else
        keep(node);
}

static void *take_one(void *arg)
{
    struct node *node = pop();

    taken(node->item);
    dispose(node);
    return arg;
}

static void *take_two(void *arg)
{
    struct node *first = pop(), *second = pop();
    int item = first->item;

    taken(second->item);
    keep(second);
    dispose(first);
    push(new_node(item));
    return arg;
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
        free(node);
    }
    all_were_taken(3);
    for (int i = 0; i < kept_count; i++)
        free(kept[i]);
    return 0;
}
