/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_update_fixed - x++ of two threads, with a mutex: both count. */
#include "points.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
shared int x;

static void *increment(void *arg)
{
    pthread_mutex_lock(&lock);
    x = x + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    run_two(increment, increment);
    assert(x == 2);
    return 0;
}
