/* SPDX-License-Identifier: BSD-2-Clause
 *
 * choose.c THREADS ROUNDS - each thread chooses one of two numbers and adds it under a lock, ROUNDS times.  The
 * order of the critical sections and the choices are independent: (T * R)! / R!^T orders, each with 2^(T * R)
 * choices. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, rounds;

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < rounds; i++) {
        int n = (int)heddle_choose(2);

        pthread_mutex_lock(&lock);
        x += n;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 2 ? atoi(argv[1]) : 2;
    pthread_t t[8];

    rounds = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    return 0;
}
