/* SPDX-License-Identifier: BSD-2-Clause
 *
 * michael_scott - a lock-free queue: a list with a dummy at its head and a tail that may lag
 * by one (the queue of Michael and Scott).
 *
 * One thread puts 1 and 2, the other puts 3 and takes one item.  Claim: items.h, and 1 comes out
 * before 2.  Nodes are kept until both threads have ended.  PLAIN_LINK: the last node's successor
 * is written, not compared: of two that put at the same time one is lost.  PLAIN_TAKE: main takes
 * as well, and the head is written.  FREE_NOW: the old dummy is freed at once, while another may
 * still be looking at it. */
#include "../program.h"

#include "items.h"

struct node {
    struct node *next;
    struct node *older; /* all that were made */
    int item;
};

static struct node *head, *tail;
static struct node *made[2]; /* each thread its own */
static int last_of_first;    /* what was last taken of 1 and 2 */

static struct node *new_node(int item, int me)
{
    struct node *node = calloc(1, sizeof *node);

    assert(node);
    node->item = item;
    node->older = made[me];
    made[me] = node;
    return node;
}

static void put(int item, int me)
{
    struct node *node = new_node(item, me), *last, *next;

    for (;;) {
        last = atomic_read(tail);
        next = atomic_read(last->next);
        if (next != NULL) { /* it lags */
            (void)atomic_cas(tail, last, next);
            continue;
        }
#ifdef PLAIN_LINK
        atomic_write(last->next, node);
        break;
#else
        if (atomic_cas(last->next, NULL, node))
            break;
#endif
    }
    (void)atomic_cas(tail, last, node);
}

static bool move_head(struct node *dummy, struct node *next)
{
#ifdef PLAIN_TAKE
    (void)dummy;
    atomic_write(head, next);
    return true;
#else
    return atomic_cas(head, dummy, next);
#endif
}

static int take(void)
{
    for (;;) {
        struct node *dummy = atomic_read(head), *last = atomic_read(tail);
        struct node *next = atomic_read(dummy->next);
        int item;

        if (next == NULL)
            return 0;
        if (dummy == last) { /* never let the head pass the tail */
            (void)atomic_cas(tail, last, next);
            continue;
        }
        item = next->item;
        if (!move_head(dummy, next))
            continue;
#ifdef FREE_NOW
        free(dummy);
#endif
        return item;
    }
}

static void take_and_check(void)
{
    int item = take();

    if (item == 0)
        return;
    taken(item);
    if (item <= 2) {
        assert(unseen_read(&last_of_first) < item);
        unseen_write(&last_of_first, item);
    }
}

static void *first(void *arg)
{
    put(1, 0);
    put(2, 0);
    return arg;
}

static void *second(void *arg)
{
    put(3, 1);
    take_and_check();
    return arg;
}

static void free_made(void)
{
#ifndef FREE_NOW
    for (int i = 0; i < 2; i++)
        while (made[i]) {
            struct node *node = made[i];

            made[i] = node->older;
            free(node);
        }
#endif
}

int main(void)
{
    pthread_t a, b;

    head = tail = new_node(0, 0);
    a = spawn(first);
    b = spawn(second);
#ifdef PLAIN_TAKE
    take_and_check();
#endif
    join(a);
    join(b);
    for (int i = 0; i < 3; i++)
        take_and_check();
    all_were_taken(3);
    free_made();
    return 0;
}
