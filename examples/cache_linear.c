/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_linear.c - a cache before a store, as a test of `heddle linearize` (docs/linearize.md).
 *
 * get() enters what it has read from the store into the cache.  If a put() comes between the two, the cache keeps the
 * old value: no result is wrong, but every later get() will be.  With -DFIXED get() keeps the lock. */
#include <pthread.h>

#include <heddle/linear.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int store = 1, cached; /* 0: nothing is cached */

static int get(void)
{
    pthread_mutex_lock(&lock);
    int v = cached;

    if (v == 0) {
        v = store;
#ifndef FIXED
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        cached = v;
    }
    pthread_mutex_unlock(&lock);
    return v;
}

static void put(int v)
{
    pthread_mutex_lock(&lock);
    store = v;
    cached = 0;
    pthread_mutex_unlock(&lock);
}

static void reader(void)
{
    heddle_op("%d", get());
}

static void writer(void)
{
    heddle_op_void(put(2));
}

int main(void)
{
    heddle_clients(reader, writer);
    heddle_op("%d", get()); /* a probe */
    heddle_map("cache");
    if (cached != 0)
        heddle_element("value=%d", cached);
    return 0;
}
