/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_attributes.c - clock and sharing of condition attributes read back; CPU clocks
 * are EINVAL. */
#include "../conform.h"

int main(void)
{
    pthread_condattr_t attr;
    pthread_cond_t c;
    clockid_t clock;
    int shared;

    IS(pthread_condattr_init(&attr), 0);
    IS(pthread_condattr_getclock(&attr, &clock), 0);
    IS(clock, CLOCK_REALTIME);
    IS(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC), 0);
    IS(pthread_condattr_getclock(&attr, &clock), 0);
    IS(clock, CLOCK_MONOTONIC);
    IS(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    IS(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_condattr_getpshared(&attr, &shared), 0);
    IS(shared, PTHREAD_PROCESS_SHARED);
    IS(pthread_condattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_cond_init(&c, &attr), 0);
    IS(pthread_condattr_destroy(&attr), 0);
    IS(pthread_cond_destroy(&c), 0);
    IS(pthread_cond_init(&c, NULL), 0);
    IS(pthread_cond_destroy(&c), 0);
    return 0;
}
