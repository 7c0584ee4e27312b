/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time_advances.c - clocks never go back, sleeping advances them by what was asked, and
 * bad arguments are EINVAL. */
#include <sys/time.h>
#include <unistd.h>

#include "../conform.h"

int main(void)
{
    struct timespec end, bad = {.tv_nsec = 1000000000}, left = {0};
    struct timeval tv;

    for (int i = 0; i < 3; i++) {
        end = in_ms(CLOCK_MONOTONIC, 0);
        IS(reached(CLOCK_MONOTONIC, end), 1);
    }
    end = in_ms(CLOCK_MONOTONIC, 3);
    IS(usleep(3000), 0);
    IS(reached(CLOCK_MONOTONIC, end), 1);
    end = in_ms(CLOCK_REALTIME, 2);
    IS(nanosleep(&(struct timespec){.tv_nsec = 2000000}, &left), 0);
    IS(reached(CLOCK_REALTIME, end), 1);
    end = in_ms(CLOCK_MONOTONIC, 2);
    IS(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL), 0);
    IS(reached(CLOCK_MONOTONIC, end), 1);
    FAILS(nanosleep(&bad, NULL), EINVAL);
    IS(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL), EINVAL);
    FAILS(clock_gettime((clockid_t)77, &end), EINVAL);
    IS(clock_getres(CLOCK_MONOTONIC, &end), 0);
    IS(gettimeofday(&tv, NULL), 0);
    IS(clock_gettime(CLOCK_REALTIME, &end), 0);
    IS(end.tv_sec - tv.tv_sec <= 1, 1);
    IS(time(NULL) >= tv.tv_sec, 1);
    return 0;
}
