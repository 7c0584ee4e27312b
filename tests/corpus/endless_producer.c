/* SPDX-License-Identifier: BSD-2-Clause
 *
 * endless_producer.c - a producer that never ends beside a consumer that fails if it finds
 * exactly three items: it is found only where --max-steps cuts executions and the search
 * goes on with other orders. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void *produce(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&m);
        items++;
        pthread_mutex_unlock(&m);
    }
}

static void *consume(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    assert(items != 3);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;

    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(consumer, NULL);
    return 0; /* and the producer with it */
}
