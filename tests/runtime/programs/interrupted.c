/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interrupted.c - THREADS threads take ROUNDS locks each, in turn, and add to counters.  With LOSES, an update can be
 * lost, which an assertion and the exit code show; with RACES, an access is not protected. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock[THREADS];
static int counter[THREADS];
static atomic_int sum;
static int plain;

static void lose(void)
{
#ifdef LOSES
    int seen = sum;

    sum = seen + 1;
#endif
}

static void *add(void *arg)
{
    long me = (long)arg;

    for (int i = 0; i < ROUNDS; i++) {
        long k = (me + i) % THREADS;

        lose();
#ifdef RACES
        plain++;
#endif
        pthread_mutex_lock(&lock[k]);
        counter[k]++;
        pthread_mutex_unlock(&lock[k]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (long i = 0; i < THREADS; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (long i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
#ifdef LOSES
    assert(sum > ROUNDS);
    return sum == ROUNDS + 1 ? 3 : 0;
#else
    return plain < 0;
#endif
}
