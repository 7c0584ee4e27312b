/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crowd.c - 100 threads; fails when the last one that was created is not the last one in
 * the critical section. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 99 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long last;

static void *visitor(void *arg)
{
    pthread_mutex_lock(&m);
    last = (long)arg;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, visitor, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(last == THREADS);
    return 0;
}
