/* SPDX-License-Identifier: BSD-2-Clause
 *
 * threads20.c - more threads than anything is prepared for, each with its own
 * TLS that must be new. */
#include "state.h"

enum { THREADS = 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;
static __thread int mine;
static __thread char zeroes[600];
static __thread int preset = 42;

static void *add(void *arg)
{
    assert(mine == 0 && preset == 42);
    for (size_t i = 0; i < sizeof zeroes; i++)
        assert(zeroes[i] == 0);
    mine = 1 + (int)(intptr_t)arg;
    zeroes[(intptr_t)arg] = 1;
    preset = 0;
    pthread_mutex_lock(&mutex);
    total += mine;
    pthread_mutex_unlock(&mutex);
    assert(mine == 1 + (int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];

    assert(total == 0);
    for (intptr_t i = 0; i < THREADS; i++)
        assert(pthread_create(&thread[i], NULL, add, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(total == THREADS * (THREADS + 1) / 2);
    return 0;
}
