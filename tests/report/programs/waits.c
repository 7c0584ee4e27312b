/* SPDX-License-Identifier: BSD-2-Clause
 *
 * waits.c - main waits for a flag, but not forever, and then takes it for set. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { PATIENCE = 14 };

static atomic_int done;

static void *worker(void *arg)
{
    atomic_store(&done, 1);
    return arg;
}

static void await(void)
{
    for (int i = 0; i < PATIENCE && !atomic_load(&done); i++)
        sched_yield();
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, worker, NULL);
    await();
    assert(atomic_load(&done));
    pthread_join(thread, NULL);
    return 0;
}
