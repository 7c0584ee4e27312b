/* SPDX-License-Identifier: BSD-2-Clause
 *
 * choose.c - makes a choice, which partial-order reduction cannot divide among machines. */
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    (void)unused;
    int n = (int)heddle_choose(3);

    pthread_mutex_lock(&lock);
    x += n;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
