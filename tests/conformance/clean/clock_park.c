/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clock_park.c - a loop that waits for the clock, kept in a global, is no livelock.
 * Reduction: a polling loop waits for something that Heddle does not see
 * Denied: idle rounds of the loop */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "../conform.h"

static struct timespec ts;
void *t1(void *a)
{
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, t1, 0);
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &ts);
        if (ts.tv_sec >= 3)
            break;
        sched_yield();
    }
    pthread_join(a, 0);
    return 0;
}
