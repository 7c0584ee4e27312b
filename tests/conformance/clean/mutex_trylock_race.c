/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_trylock_race.c - two threads try the same mutex: at least one succeeds, and
 * never both at once. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *arg)
{
    if (pthread_mutex_trylock(&m) != 0)
        return NULL;
    IS(inside++, 0);
    inside--;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t a = start(worker, &m), b = start(worker, &m);
    void *first = finish(a), *second = finish(b);

    IS(first != NULL || second != NULL, 1);
    return 0;
}
