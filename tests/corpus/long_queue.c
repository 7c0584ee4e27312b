/* SPDX-License-Identifier: BSD-2-Clause
 *
 * long_queue - two consumers of N items each and a producer of all of them.
 *
 * Claim: it ends.  True; an execution is long, and is no livelock. */
#include "../litmus/litmus.h"

#ifndef N
#define N 10000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *arg)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        while (items == 0)
            pthread_cond_wait(&cond, &lock);
        items--;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *produce(void *arg)
{
    for (int i = 0; i < 2 * N; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(consume), b = spawn(consume), c = spawn(produce);

    join(a);
    join(b);
    join(c);
    return 0;
}
