/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ring - three threads, three locks, each thread waits for the next. */
#include "locks.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
    lock_both(&a, &b);
    return arg;
}

static void *two(void *arg)
{
    lock_both(&b, &c);
    return arg;
}

static void *three(void *arg)
{
    if (fixed())
        lock_both(&a, &c);
    else
        lock_both(&c, &a);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    pthread_t t[] = { spawn(one), spawn(two), spawn(three) };

    for (int i = 0; i < 3; i++)
        join(t[i]);
    return 0;
}
