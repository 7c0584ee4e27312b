/* SPDX-License-Identifier: BSD-2-Clause
 *
 * long N - executions of about N events with always the same few races: six threads
 * write memory of their own and read what nobody writes, then each adds to one
 * counter, 720 orders.  What partial-order reduction spends on an event must not
 * depend on N. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 6

static atomic_int shared, counter;
static atomic_int own[THREADS][64];
static int rounds;

static void *work(void *arg)
{
    int n = (int)(intptr_t)arg;

    for (int i = 0; i < rounds; i++) /* two events each */
        atomic_store(&own[n][0], atomic_load(&shared) + i);
    atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];

    rounds = (argc > 1 ? atoi(argv[1]) : 1000) / (2 * THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return atomic_load(&counter) != THREADS;
}
