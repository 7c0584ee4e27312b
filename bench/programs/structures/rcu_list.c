/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rcu_list - two readers walk a list while an updater takes a node out, waits until no thread can
 * still be there, frees it and puts a new one in.
 *
 * Claim: a reader sees nodes that are allocated and complete.  Each reader has a count that is odd
 * while it reads; the updater waits for those that are odd to change.  NO_GRACE: the node is freed
 * at once.  UNLINK_LATE: the updater waits before it takes the node out.  LINK_FIRST: the new node
 * is linked before it is complete. */
#include "../program.h"

#include <sched.h>

enum { READERS = 2 };

struct node {
    struct node *next;
    int value, twice;
};

static struct node *head;
static int reading[READERS];

static struct node *new_node(int value, struct node *next)
{
    struct node *node = malloc(sizeof *node);

    assert(node);
    node->next = next;
    node->value = value;
    node->twice = 2 * value;
    return node;
}

static void *reader(void *arg)
{
    int me = number_of(arg);

    atomic_write(reading[me], 1);
    for (struct node *node = atomic_read(head); node; node = atomic_read(node->next))
        assert(node->twice == 2 * node->value);
    atomic_write(reading[me], 2);
    return NULL;
}

#ifndef NO_GRACE
static void wait_for_readers(void)
{
    for (int i = 0; i < READERS; i++) {
        int seen = atomic_read(reading[i]);

        if (seen % 2 == 1)
            while (atomic_read(reading[i]) == seen)
                sched_yield();
    }
}
#endif

static void remove_first(void)
{
    struct node *node = head; /* only the updater writes it */

#ifdef UNLINK_LATE
    wait_for_readers();
#endif
    atomic_write(head, node->next);
#if !defined(NO_GRACE) && !defined(UNLINK_LATE)
    wait_for_readers();
#endif
    free(node);
}

static void insert(int value)
{
#ifdef LINK_FIRST
    struct node *node = new_node(0, head);

    atomic_write(head, node);
    node->value = value;
    node->twice = 2 * value;
#else
    atomic_write(head, new_node(value, head));
#endif
}

int main(void)
{
    pthread_t readers[READERS];

    head = new_node(1, new_node(2, NULL));
    for (int i = 0; i < READERS; i++)
        readers[i] = spawn_numbered(reader, i);
    remove_first();
    insert(3);
    for (int i = 0; i < READERS; i++)
        join(readers[i]);
    while (head) {
        struct node *node = head;

        head = node->next;
        free(node);
    }
    return 0;
}
