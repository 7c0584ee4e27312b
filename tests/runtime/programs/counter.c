/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter.c - three threads, two rounds each: 188,604 orders.  With "order", the
 * executions in which the threads finish exactly in reverse fail. */
#include <string.h>

#include "state.h"

enum { THREADS = 3, ROUNDS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, finished[THREADS], nfinished;

static void *count(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        value++;
        if (i == ROUNDS - 1)
            finished[nfinished++] = (int)(intptr_t)arg;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];

    assert(value == 0 && nfinished == 0);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(value == THREADS * ROUNDS);
    if (argc > 1 && strcmp(argv[1], "order") == 0)
        assert(!(finished[0] == 2 && finished[1] == 1));
    return 0;
}
