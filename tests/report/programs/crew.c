/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crew.c - seven workers and main, of which two decide: the count of work that is left is
 * read and decremented in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { CREW = 7 };

static atomic_int ready, left = 1;

static void take_last(void)
{
    if (atomic_load(&left) > 0)
        assert(atomic_fetch_sub(&left, 1) > 0);
}

static void *worker(void *arg)
{
    atomic_fetch_add(&ready, 1);
    if ((intptr_t)arg < 2)
        take_last();
    return NULL;
}

int main(void)
{
    pthread_t thread[CREW];

    for (intptr_t i = 0; i < CREW; i++)
        pthread_create(&thread[i], NULL, worker, (void *)i);
    for (int i = 0; i < CREW; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
