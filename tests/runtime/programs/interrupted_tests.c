/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interrupted_tests.c - tests of different length, for searches of each that are interrupted. */
#include <heddle/test.h>
#include <pthread.h>

enum { THREADS = 2 };

static pthread_mutex_t lock[THREADS] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int counter[THREADS], rounds;

static void *add(void *arg)
{
    for (long i = 0, me = (long)arg; i < rounds; i++) {
        long k = (me + i) % THREADS;

        pthread_mutex_lock(&lock[k]);
        counter[k]++;
        pthread_mutex_unlock(&lock[k]);
    }
    return NULL;
}

static void run(int n)
{
    pthread_t t[THREADS];

    rounds = n;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (long i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
}

HEDDLE_TEST(first) { run(2); }
HEDDLE_TEST(longest) { run(4); }
HEDDLE_TEST(last) { run(3); }
HEDDLE_TEST_MAIN
