/* SPDX-License-Identifier: BSD-2-Clause
 *
 * two_locks - main and a thread take two locks in opposite orders.  Whether they can meet depends on
 * which operations are scheduling points. */
#include "points.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *thread(void *arg)
{
    both(&b, &a);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    return 0;
}
