/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock - readers must not write; a writer comes after all readers. */
#include "races.h"

static int x;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg)
{
    if (is("read-side"))
        pthread_rwlock_rdlock(&lock);
    else
        pthread_rwlock_wrlock(&lock);
    PUT(x, 1);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    (void)GET(x);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, writer, reader);
}
