/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_timedlock.c - timedlock gets a free mutex, is ETIMEDOUT on a held one and EINVAL
 * for impossible nanoseconds; the time-out is over when it returns. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *late(void *arg)
{
    struct timespec t = in_ms(CLOCK_REALTIME, 3);

    IS(pthread_mutex_timedlock(&m, &t), ETIMEDOUT);
    IS(reached(CLOCK_REALTIME, t), 1);
    t.tv_nsec = 1000000000;
    IS(pthread_mutex_timedlock(&m, &t), EINVAL);
    return arg;
}

int main(void)
{
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);

    IS(pthread_mutex_timedlock(&m, &past), 0);
    finish(start(late, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
