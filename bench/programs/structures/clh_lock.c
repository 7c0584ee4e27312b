/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clh_lock - a queue of waiting threads, each of which polls the node of the one before
 * it, and takes that node over for the next time (the lock of Craig, Landin and Hagersten).
 *
 * Claim: section.h.  OWN_NODE: a thread goes on with its own node.  If it comes back before
 * its successor has seen that it left, the two wait for each other. */
#include "../program.h"

#include <sched.h>

enum { MOST = 3 };

struct node {
    int held;
};

static struct node nodes[MOST + 1];
static struct node *tail = &nodes[MOST]; /* belongs to no thread, not held */
static struct node *mine[MOST] = {&nodes[0], &nodes[1], &nodes[2]};
static struct node *before[MOST];

static void enter(int me)
{
    atomic_write(mine[me]->held, 1);
    before[me] = atomic_swap(tail, mine[me]);
    while (atomic_read(before[me]->held))
        sched_yield();
}

static void leave(int me)
{
    struct node *left = mine[me];

#ifndef OWN_NODE
    mine[me] = before[me];
#endif
    atomic_write(left->held, 0);
}

#include "section.h"
