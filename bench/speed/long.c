/* SPDX-License-Identifier: BSD-2-Clause
 *
 * long N [THREADS [fail]] - executions of about N events with always the same few races:
 * threads (six, unless said otherwise) write memory of their own and read what no thread
 * writes, then six of them add to one counter: 720 orders.  What a strategy spends on an
 * event must not depend on N.  With "fail" it fails, so that there is a schedule to
 * replay. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_THREADS = 64, RACING = 6, LINE = 64 };

static atomic_int shared, counter;
static atomic_int own[MOST_THREADS][LINE];
static int rounds;

static void *work(void *arg)
{
    int n = (int)(intptr_t)arg;

    for (int i = 0; i < rounds; i++) /* two events each */
        atomic_store(&own[n][0], atomic_load(&shared) + i);
    if (n < RACING)
        atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    int events = argc > 1 ? atoi(argv[1]) : 1000;
    int threads = argc > 2 ? atoi(argv[2]) : RACING;
    pthread_t t[MOST_THREADS];

    if (threads < RACING || threads > MOST_THREADS)
        return 1;
    rounds = events / (2 * threads);
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    return argc > 3 || atomic_load(&counter) != RACING;
}
