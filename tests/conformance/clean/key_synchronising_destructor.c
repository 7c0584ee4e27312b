/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_synchronising_destructor.c - a key destructor may lock, and its effect is visible
 * after the join. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int x;

static void destroy(void *value)
{
    (void)value;
    IS(pthread_mutex_lock(&m), 0);
    x++;
    IS(pthread_mutex_unlock(&m), 0);
}

static void *worker(void *arg)
{
    IS(pthread_setspecific(key, &x), 0);
    return arg;
}

int main(void)
{
    IS(pthread_key_create(&key, destroy), 0);
    pthread_t a = start(worker, NULL), b = start(worker, NULL);
    finish(a);
    finish(b);
    IS(x, 2);
    return 0;
}
