/* SPDX-License-Identifier: BSD-2-Clause
 *
 * paradise_lost - two consumers wait for a semaphore of 0, which main signals once; a thread that leaves
 * signals for the other (Landslide's test).
 *
 * Claim: one is inside at a time, and both get in.  The count of those inside is visible.
 * Mistakes: SEM_IF, SEM_UNLOCKED (library.h). */
#include "library.h"

static struct sem sem;
static int inside;

static void *consumer(void *arg)
{
    sem_take(&sem);
    assert(atomic_add(inside, 1) == 0);
    yield();
    atomic_add(inside, -1);
    sem_signal(&sem);
    return arg;
}

int main(void)
{
    begin_main();
    sem_begin(&sem, 0);
    start(1, consumer, NULL);
    start(2, consumer, NULL);
    sem_signal(&sem);
    await_end(1);
    await_end(2);
    return 0;
}
