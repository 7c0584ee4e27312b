/* SPDX-License-Identifier: BSD-2-Clause
 *
 * depth.c - a thread is created from a stack that is DEPTH bytes deep: what the
 * creation needs may begin on a page that was never written. */
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int depth, count;

static void create(void *(*fn)(void *))
{
    volatile char *below = alloca((size_t)depth + 1);
    pthread_t thread;

    below[0] = 1;
    assert(pthread_create(&thread, NULL, fn, NULL) == 0);
    pthread_join(thread, NULL);
}

static void *child(void *arg)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *parent(void *arg)
{
    create(child);
    return child(arg);
}

int main(int argc, char **argv)
{
    assert(count == 0);
    depth = argc > 1 ? atoi(argv[1]) : 0;
    create(parent);
    assert(count == 2);
    return 0;
}
