/* SPDX-License-Identifier: BSD-2-Clause
 *
 * long_rounds.c - two consumers of ROUNDS items each and a producer of all of them: correct,
 * and executions of about 10 * ROUNDS steps. */
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1000
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        while (items == 0)
            pthread_cond_wait(&c, &m);
        items--;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *produce(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[3];

    pthread_create(&thread[0], NULL, consume, NULL);
    pthread_create(&thread[1], NULL, consume, NULL);
    pthread_create(&thread[2], NULL, produce, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
