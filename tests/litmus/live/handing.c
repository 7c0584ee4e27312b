/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handing - main hands over 20 things with a pause after each; the thread takes one.  Who
 * gives something to others does not wait, however often it pauses: nothing is cut, and a
 * reduced search proves it. */
#include <semaphore.h>

#include "live.h"

static sem_t things;

static void *take_one(void *arg)
{
    sem_wait(&things);
    return arg;
}

int main(void)
{
    sem_init(&things, 0, 0);
    pthread_t thread = spawn(take_one);

    for (int i = 0; i < 20; i++) {
        sem_post(&things);
        sched_yield();
    }
    join(thread);
    return 0;
}
