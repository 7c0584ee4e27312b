/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak_bug.c - two threads may both find the cache empty, and one block is lost. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *cache;

static void fill(void)
{
    char *fresh = malloc(40);

    pthread_mutex_lock(&lock);
    bool empty = cache == NULL;

#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (empty)
        cache = fresh;
    pthread_mutex_unlock(&lock);
    if (!empty)
        free(fresh);
}

static void *worker(void *unused)
{
    (void)unused;
    fill();
    return NULL;
}

int main(void)
{
    pthread_t t = spawn(worker);

    fill();
    join(t);
    return 0;
}
