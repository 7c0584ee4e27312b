/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier.c - a worker that sees the stop flag leaves without coming to the barrier. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t both;
static atomic_int stop;

static void *worker(void *arg)
{
    if (!atomic_load(&stop))
        pthread_barrier_wait(&both);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&stop, 1);
    pthread_barrier_wait(&both);
    pthread_join(thread, NULL);
    return 0;
}
