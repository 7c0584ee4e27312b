/* SPDX-License-Identifier: BSD-2-Clause
 *
 * semaphore_fixed - a semaphore used as a lock, with one permit.
 *
 * Claim: both threads are counted.  True.
 * Twin: semaphore_bug.c. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t lock;
static int counter;

static void *count(void *arg)
{
    sem_wait(&lock);
    visible_write(counter, visible_read(counter) + 1);
    sem_post(&lock);
    return arg;
}

int main(void)
{
    pthread_t worker;

    sem_init(&lock, 0, 1);
    worker = spawn(count);
    count(NULL);
    join(worker);
    assert(counter == 2);
    return 0;
}
