/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ring.c - dining philosophers: each thread takes its left fork and waits for the right one. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 8 };

static pthread_mutex_t fork_at[MOST];
static int n = 3;

static void *philosopher(void *arg)
{
    int me = (int)(intptr_t)arg;

    pthread_mutex_lock(&fork_at[me]);
    pthread_mutex_lock(&fork_at[(me + 1) % n]);
    pthread_mutex_unlock(&fork_at[(me + 1) % n]);
    pthread_mutex_unlock(&fork_at[me]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST];

    if (argc > 1)
        n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&fork_at[i], NULL);
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
