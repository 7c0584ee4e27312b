/* SPDX-License-Identifier: BSD-2-Clause
 *
 * writer - a writer waits for a reader that waits for a mutex of the writer; a
 * second reader, which has a lower number, is in no thread's way. */
#include "locks.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *one(void *arg)
{
    pthread_rwlock_rdlock(&l);
    lock(&m);
    unlock(&m);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *other(void *arg)
{
    if (!fixed())
        lock(&m);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    if (!fixed())
        unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    pthread_t t[] = { spawn(reader), spawn(one), spawn(other) };

    for (int i = 0; i < 3; i++)
        join(t[i]);
    return 0;
}
