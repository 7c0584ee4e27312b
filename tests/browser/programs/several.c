/* SPDX-License-Identifier: BSD-2-Clause
 *
 * several.c - two mistakes: locks in opposite orders, and an update in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sum;

static void add(pthread_mutex_t *first, pthread_mutex_t *second)
{
    int seen = atomic_load(&sum);

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    atomic_store(&sum, seen + 1);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *unused)
{
    add(&b, &a);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    add(&a, &b);
    pthread_join(t, NULL);
    assert(atomic_load(&sum) == 2);
    return 0;
}
