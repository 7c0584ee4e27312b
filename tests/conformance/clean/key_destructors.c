/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_destructors.c - each thread has its own values; destructors get the value, with
 * the slot already cleared, and skip empty slots. */
#include "../conform.h"

static pthread_key_t key, empty;
static int destroyed[2];

static void destroy(void *value)
{
    IS(pthread_getspecific(key) == NULL, 1);
    (*(int *)value)++;
}

static void never(void *value)
{
    (void)value;
    abort();
}

static void *worker(void *arg)
{
    IS(pthread_getspecific(key) == NULL, 1);
    IS(pthread_setspecific(key, arg), 0);
    IS(pthread_setspecific(empty, arg), 0);
    IS(pthread_setspecific(empty, NULL), 0);
    IS(pthread_getspecific(key) == arg, 1);
    return NULL;
}

int main(void)
{
    IS(pthread_key_create(&key, destroy), 0);
    IS(pthread_key_create(&empty, never), 0);
    pthread_t a = start(worker, &destroyed[0]), b = start(worker, &destroyed[1]);
    IS(pthread_getspecific(key) == NULL, 1);
    finish(a);
    finish(b);
    IS(destroyed[0] == 1 && destroyed[1] == 1, 1);
    IS(pthread_key_delete(key), 0);
    IS(pthread_key_delete(empty), 0);
    return 0;
}
