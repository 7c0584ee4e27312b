/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_clocklock.c - clocklock with both clocks; another clock is EINVAL. */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *late(void *arg)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};

    for (int i = 0; i < 2; i++) {
        struct timespec t = in_ms(clocks[i], 2);

        IS(pthread_mutex_clocklock(&m, clocks[i], &t), ETIMEDOUT);
        IS(reached(clocks[i], t), 1);
        IS(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &t), EINVAL);
    }
    return arg;
}

int main(void)
{
    struct timespec t = in_ms(CLOCK_MONOTONIC, 1000);

    IS(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &t), 0);
    finish(start(late, NULL));
    IS(pthread_mutex_unlock(&m), 0);
    return 0;
}
