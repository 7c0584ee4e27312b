/* SPDX-License-Identifier: BSD-2-Clause
 *
 * safestack - a lock-free stack of three indices from which three threads take one
 * and put it back, twice each (SCT study, row 38: misc.safestack; the algorithm is
 * D. Vyukov's, which he gave as a challenge to checkers).
 *
 * Claim: an index belongs to one thread at a time, from when the head was moved on
 * until its successor is written in order to put it back.  Defect: the head is
 * compared by index, so that a thread which was late does not see that the same
 * index was taken and put back in between (ABA); that a taken index has no successor
 * (-1) catches this only if it happens once.  Needs at least five preemptions.  All
 * accesses are atomics but for the owner's mark, which is unseen: it changes in the
 * same step as head or successor do, so that it is exact and adds no point.
 * Fix: the head also counts how often it was changed. */
#include "../program.h"

#include <sched.h>

enum { INDICES = 3, THREADS = 3, ROUNDS = 2, NONE = -1 };

#ifdef FIXED
enum { CHANGE = 16 }; /* the head is CHANGE times the number of changes plus the index */
#define INDEX(h) ((h) % CHANGE)
#define NEXT_HEAD(h, index) (((h) / CHANGE + 1) * CHANGE + (index))
#else
#define INDEX(h) (h)
#define NEXT_HEAD(h, index) (index)
#endif

static int head;
static int count = INDICES;
static int next[INDICES] = {1, 2, NONE};
static int owner[INDICES];

static void take(int index, int me)
{
    assert(unseen_read(&owner[index]) == 0);
    unseen_write(&owner[index], me);
}

static void give(int index, int me)
{
    if (unseen_read(&owner[index]) == me) /* not when the head has to be compared again */
        unseen_write(&owner[index], 0);
}

/* The last one stays, so that the stack never is empty. */
static int pop(int me)
{
    while (atomic_read(count) > 1) {
        int h = atomic_read(head);
#ifdef FIXED
        int successor = atomic_read(next[INDEX(h)]);
#else
        int successor = atomic_swap(next[INDEX(h)], NONE);
#endif

        if (successor == NONE)
            continue;
        if (atomic_cas(head, h, NEXT_HEAD(h, successor))) {
            take(INDEX(h), me);
            atomic_add(count, -1);
            return INDEX(h);
        }
#ifndef FIXED
        atomic_swap(next[INDEX(h)], successor);
#endif
    }
    return NONE;
}

static void push(int index, int me)
{
    int h;

    do {
        h = atomic_read(head);
        atomic_write(next[index], INDEX(h));
        give(index, me);
    } while (!atomic_cas(head, h, NEXT_HEAD(h, index)));
    atomic_add(count, 1);
}

static void *work(void *arg)
{
    int me = number_of(arg);

    for (int round = 0; round < ROUNDS; round++) {
        int index;

        while ((index = pop(me)) == NONE)
            sched_yield();
        push(index, me);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(work, i + 1);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
