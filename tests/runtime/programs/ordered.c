/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ordered.c - fails when the second thread is first.  With -DEXTRA a lock is
 * taken in addition: another program, for which an old schedule means nothing. */
#include <stdio.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *worker(void *arg)
{
#ifdef EXTRA
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = (int)(intptr_t)arg;
    printf("thread %d, first was %d\n", (int)(intptr_t)arg, first);
    fflush(stdout);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 1);
    return 0;
}
