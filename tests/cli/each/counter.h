/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter.h - what the test programs of all frameworks test: a counter whose increments
 * get lost when two of them overlap. */
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static inline void *increment(void *p)
{
    pthread_mutex_lock(&lock);
    int seen = counter;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter = seen + 1;
    pthread_mutex_unlock(&lock);
    return p;
}

/* With n threads at the same time. */
static inline int count_with(int n)
{
    pthread_t t[4];

    counter = 0;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, increment, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return counter;
}
