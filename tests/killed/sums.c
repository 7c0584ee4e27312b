/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sums.c - two threads of SECTIONS critical sections each, which have C(2 * SECTIONS, SECTIONS) orders.  With RACE they
 * also change a variable without a lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum, racy;

static void *add(void *arg)
{
    for (int i = 0; i < SECTIONS; i++) {
        pthread_mutex_lock(&m);
        sum = sum + 1;
        pthread_mutex_unlock(&m);
    }
#ifdef RACE
    racy = racy + 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return sum == 2 * SECTIONS ? 0 : 1;
}
