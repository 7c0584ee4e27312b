/* SPDX-License-Identifier: BSD-2-Clause
 *
 * work_sharing - two threads with a pile of jobs each even their piles out, then each does one of
 * its own.
 *
 * Claim: items.h, no thread waits forever.  Piles are locked in the order of their numbers.
 * OWN_FIRST: each locks its own pile first; both wait forever.  SIZES_UNLOCKED: sizes are looked
 * at before the locks are taken, and a job is moved that is not there any more. */
#include "../program.h"

#include "items.h"

enum { THREADS = 2, JOBS = 4 };

struct pile {
    pthread_mutex_t lock;
    int size;
    int jobs[MOST_ITEMS];
};

static struct pile piles[THREADS] = {{PTHREAD_MUTEX_INITIALIZER, 4, {1, 2, 3, 4}},
                                     {PTHREAD_MUTEX_INITIALIZER, 0, {0}}};

static int pop(struct pile *pile)
{
    int size = visible_read(pile->size);

    assert(size > 0);
    visible_write(pile->size, size - 1);
    return pile->jobs[size - 1];
}

static void push(struct pile *pile, int job)
{
    int size = visible_read(pile->size);

    pile->jobs[size] = job;
    visible_write(pile->size, size + 1);
}

static int surplus(void)
{
    return visible_read(piles[0].size) - visible_read(piles[1].size);
}

static void even_out(int me)
{
#ifdef OWN_FIRST
    struct pile *one = &piles[me], *two = &piles[1 - me];
#else
    struct pile *one = &piles[0], *two = &piles[1];
#endif
    int more;

    (void)me;
#ifdef SIZES_UNLOCKED
    more = surplus();
#endif
    pthread_mutex_lock(&one->lock);
    pthread_mutex_lock(&two->lock);
#ifndef SIZES_UNLOCKED
    more = surplus();
#endif
    for (; more >= 2; more -= 2)
        push(&piles[1], pop(&piles[0]));
    for (; more <= -2; more += 2)
        push(&piles[0], pop(&piles[1]));
    pthread_mutex_unlock(&two->lock);
    pthread_mutex_unlock(&one->lock);
}

static void *work(void *arg)
{
    int me = number_of(arg);
    struct pile *mine = &piles[me];

    even_out(me);
    pthread_mutex_lock(&mine->lock);
    taken(pop(mine));
    pthread_mutex_unlock(&mine->lock);
    return NULL;
}

int main(void)
{
    pthread_t a = spawn_numbered(work, 0), b = spawn_numbered(work, 1);

    join(a);
    join(b);
    for (int i = 0; i < THREADS; i++)
        while (piles[i].size > 0)
            taken(pop(&piles[i]));
    all_were_taken(JOBS);
    return 0;
}
