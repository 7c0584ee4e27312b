/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex32.c - three threads, twice { lock; x++; unlock } each: the small program
 * by which testers of this kind are compared (188,604 orders). */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3, ROUNDS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *count(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        x++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(x == THREADS * ROUNDS);
    return 0;
}
