/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixed.c - ten plain accesses to shared memory for each visible operation: three
 * threads, many times { lock; ten cells, each read and written; unlock }.  What race
 * detection costs shows here: every section checks cells that another thread had. */
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3, ROUNDS = 100, CELLS = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long cell[CELLS];

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        for (int k = 0; k < CELLS; k++)
            cell[k] = cell[k] + 1;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
