/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mcs_lock - a queue of waiting threads, each of which polls its own node until the one
 * before it hands the lock over (the lock of Mellor-Crummey and Scott).
 *
 * Claim: section.h.  NO_WAIT: a thread that leaves and sees no successor, although another thread has
 * queued up already, does not wait for the link and hands the lock to no thread.  LINK_FIRST:
 * the node says that it waits only after it was linked, so that this may undo the
 * handing over.  Both leave a thread waiting forever. */
#include "../program.h"

#include <sched.h>

struct node {
    struct node *next;
    int waiting;
};

static struct node nodes[3];
static struct node *tail;

static void enter(int me)
{
    struct node *mine = &nodes[me], *before;

    atomic_write(mine->next, NULL);
#ifndef LINK_FIRST
    atomic_write(mine->waiting, 1);
#endif
    before = atomic_swap(tail, mine);
    if (before == NULL)
        return;
    atomic_write(before->next, mine);
#ifdef LINK_FIRST
    atomic_write(mine->waiting, 1);
#endif
    while (atomic_read(mine->waiting))
        sched_yield();
}

static void leave(int me)
{
    struct node *mine = &nodes[me], *next = atomic_read(mine->next);

    if (next == NULL) {
        if (atomic_cas(tail, mine, NULL))
            return;
#ifdef NO_WAIT
        return;
#endif
        while ((next = atomic_read(mine->next)) == NULL)
            sched_yield();
    }
    atomic_write(next->waiting, 0);
}

#define ROUNDS 1
#include "section.h"
