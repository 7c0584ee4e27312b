/* SPDX-License-Identifier: BSD-2-Clause
 *
 * circle - twelve philosophers, each with the fork of the next one left to take.  Each waits until all hold their
 * first fork, so that every interleaving is a deadlock. */
#include <pthread.h>

enum { SEATS = 12 };

static pthread_mutex_t fork_of[SEATS];
static pthread_barrier_t seated;

static void *philosopher(void *arg)
{
    long seat = (long)arg;

    pthread_mutex_lock(&fork_of[seat]);
    pthread_barrier_wait(&seated);
    pthread_mutex_lock(&fork_of[(seat + 1) % SEATS]);
    return NULL;
}

int main(void)
{
    pthread_t thread[SEATS];

    pthread_barrier_init(&seated, NULL, SEATS);
    for (long i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_of[i], NULL);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)i);
    for (long i = 0; i < SEATS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
