/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wsq.h - the test of the four work-stealing queues (SCT study, rows 32-35): main
 * owns the queue, pushes items at its tail and pops there; two thieves steal at the
 * head.
 *
 * Claim: each item is processed exactly once.  The queue is what the including file
 * defines before it includes this one: ITEMS, STEALS (attempts per thief), push,
 * pop and steal, the last two of which return NOTHING when they get none. No thread
 * waits: a thief that finds nothing has used up an attempt. */
#ifndef WSQ_H
#define WSQ_H

enum { THIEVES = 2, PUSHES_PER_POP = 2 };

static int processed[ITEMS];

/* Unseen: a point here would only repeat the one at which the item was taken. */
static void process(int item)
{
    assert(unseen_read(&processed[item]) == 0);
    unseen_write(&processed[item], 1);
}

static void process_taken(int item)
{
    if (item != NOTHING)
        process(item);
}

static void *thief(void *arg)
{
    for (int i = 0; i < STEALS; i++)
        process_taken(steal());
    return arg;
}

int main(void)
{
    pthread_t thieves[THIEVES];
    int item;

    for (int i = 0; i < THIEVES; i++)
        thieves[i] = spawn(thief);
    for (int i = 0; i < ITEMS; i++) {
        push(i);
        if (i % PUSHES_PER_POP == PUSHES_PER_POP - 1)
            process_taken(pop());
    }
    while ((item = pop()) != NOTHING)
        process(item);
    for (int i = 0; i < THIEVES; i++)
        join(thieves[i]);
    for (int i = 0; i < ITEMS; i++)
        assert(processed[i] == 1);
    return 0;
}

#endif
