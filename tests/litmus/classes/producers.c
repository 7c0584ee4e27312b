/* SPDX-License-Identifier: BSD-2-Clause
 *
 * producers.c - N one-shot producers and N consumers on one condition; the signal is
 * given inside the lock, or (second argument) after it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items, after;

static void *produce(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    items++;
    if (!after)
        pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    if (after)
        pthread_cond_signal(&c);
    return NULL;
}

static void *consume(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&c, &m);
    items--;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t t[16];

    after = argc > 2;
    for (int i = 0; i < 2 * n; i++)
        pthread_create(&t[i], NULL, i < n ? produce : consume, NULL);
    for (int i = 0; i < 2 * n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
