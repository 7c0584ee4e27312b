/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock.c - a function that locks calls another one that does, but only when the queue
 * was found empty. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void refill(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_mutex_unlock(&lock);
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    if (items == 0)
        refill();
    items--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, consumer, NULL);
    refill();
    pthread_join(thread, NULL);
    return 0;
}
