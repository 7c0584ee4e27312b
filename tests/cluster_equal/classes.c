/* SPDX-License-Identifier: BSD-2-Clause
 *
 * classes.c - three threads take one lock twice each: 6! / 2!^3 = 90 classes.  Each of them fails with a message of its own, so
 * that the findings of a search are the classes that it has reached. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *work(void *self)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        order = order * 3 + (int)(long)self;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

/* Findings are told apart by their places: each order has an assertion of its own. */
#define ONE(n) case n: assert(order != n); break;
#define NINE(n) ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8)
#define ALL81(n) NINE(n) NINE(n + 9) NINE(n + 18) NINE(n + 27) NINE(n + 36) NINE(n + 45) NINE(n + 54) NINE(n + 63) NINE(n + 72)

int main(void)
{
    pthread_t t[3];

    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    switch (order) {
        ALL81(0) ALL81(81) ALL81(162) ALL81(243) ALL81(324) ALL81(405) ALL81(486) ALL81(567) ALL81(648)
    }
    return 0;
}
