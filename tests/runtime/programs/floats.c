/* SPDX-License-Identifier: BSD-2-Clause
 *
 * floats.c - sums that are kept in registers across switches stay right. */
#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double common;

static __attribute__((noinline)) double series(double start, int steps, int switches)
{
    double sum = start;
    long double extended = start;

    for (int i = 1; i <= steps; i++) {
        sum += 1.0 / i;
        extended += 1.0L / i;
        if (switches) {
            pthread_mutex_lock(&mutex);
            common += sum;
            pthread_mutex_unlock(&mutex);
        }
    }
    return sum + (double)extended;
}

static void *worker(void *arg)
{
    double start = (double)(intptr_t)arg;

    assert(series(start, 5, 1) == series(start, 5, 0));
    return NULL;
}

int main(void)
{
    pthread_t thread[3];

    assert(common == 0);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(i * 100));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
