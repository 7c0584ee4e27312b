/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.c - THREADS threads that each take one lock ROUNDS times: (n * r)! / (r!)^n classes.  With a third argument the sum is
 * wrong in some interleavings: a thread adds what it read in another critical section. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, rounds, wrong;

static void *add(void *unused)
{
    (void)unused;
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        int before = sum;

        if (wrong) {
            pthread_mutex_unlock(&lock);
            pthread_mutex_lock(&lock);
        }
        sum = before + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[8];
    int n = atoi(argv[1]);

    rounds = atoi(argv[2]);
    wrong = argc > 3;
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, add, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    assert(sum == n * rounds);
    return 0;
}
