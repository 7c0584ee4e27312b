/* SPDX-License-Identifier: BSD-2-Clause
 *
 * two_lock_queue - a queue with a lock for each end, between which a dummy keeps the two apart
 * (the blocking queue of Michael and Scott).
 *
 * One thread puts two items, the other puts one and takes two, if there are any.  Claim: items.h.
 * The link of the last node is the one thing that both ends touch. PLAIN: it is not atomic.
 * NO_LOCK: a thread that puts does not lock; one of two items is lost. */
#include "../program.h"

#include "items.h"

struct node {
    struct node *next;
    int item;
};

static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;
#ifndef NO_LOCK
static pthread_mutex_t tail_lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static struct node dummy;
static struct node *head = &dummy, *tail = &dummy;
static struct node nodes[MOST_ITEMS];

static void link_last(struct node *node)
{
#if defined(PLAIN)
    tail->next = node;
    tail = node;
#elif defined(NO_LOCK)
    atomic_write(atomic_read(tail)->next, node);
    atomic_write(tail, node);
#else
    release_write(tail->next, node);
    tail = node;
#endif
}

static void put(int item)
{
    struct node *node = &nodes[item];

    node->item = item;
#ifdef NO_LOCK
    link_last(node);
#else
    pthread_mutex_lock(&tail_lock);
    link_last(node);
    pthread_mutex_unlock(&tail_lock);
#endif
}

static int take(void)
{
    struct node *next;
    int item = 0;

    pthread_mutex_lock(&head_lock);
#ifdef PLAIN
    next = head->next;
#else
    next = acquire_read(head->next);
#endif
    if (next) {
        item = next->item;
        head = next; /* the new dummy */
    }
    pthread_mutex_unlock(&head_lock);
    return item;
}

static void *put_two(void *arg)
{
    put(1);
    put(2);
    return arg;
}

static void *put_and_take(void *arg)
{
    put(3);
    for (int i = 0; i < 2; i++) {
        int item = take();

        if (item != 0)
            taken(item);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(put_two), b = spawn(put_and_take);
    int item;

    join(a);
    join(b);
    while ((item = take()) != 0)
        taken(item);
    all_were_taken(3);
    return 0;
}
