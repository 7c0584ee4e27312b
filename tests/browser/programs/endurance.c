/* SPDX-License-Identifier: BSD-2-Clause
 *
 * endurance.c - more than 50,000 events, and a failure at the end of every execution:
 * 3 threads, 4,200 rounds each, 4 operations a round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ROUNDS = 4200, THREADS = 3 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int total;

static void *worker(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        int seen = atomic_load(&total);

        atomic_store(&total, seen + 1);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(total != THREADS * ROUNDS);
    return 0;
}
