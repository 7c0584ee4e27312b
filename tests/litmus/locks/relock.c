/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock - a thread locks its own mutex again: forever, unless it is recursive. */
#define _GNU_SOURCE
#include "locks.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *one(void *arg)
{
    pthread_mutex_t *own = fixed() ? &r : &m;

    lock_both(own, own);
    return arg;
}

static void *other(void *arg)
{
    lock(&m);
    unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, one, other);
}
