/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handoff - data that a mutex and a flag under it hand over, read under trylock: no race. */
#include "points.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
shared int full, data;

static void *give(void *arg)
{
    data = 3;
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *take(void *arg)
{
    int mine = 0;

    if (pthread_mutex_trylock(&lock) == 0) {
        mine = full;
        pthread_mutex_unlock(&lock);
    }
    assert(!mine || data == 3);
    return arg;
}

int main(void)
{
    run_two(give, take);
    return 0;
}
