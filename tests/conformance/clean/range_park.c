/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range_park.c - a loop that compares 16 bytes sees a change of the last ones.  What it
 * does is a race by the letter, and not what is tested here.
 * Options: --strategy dfs --races off
 * Reduction: a polling loop waits for memory that is written without an atomic */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "../conform.h"

char buf[32] = "0000000000000000", want[32] = "0000000000001000";
void *t1(void *a)
{
    sched_yield();
    buf[12] = '1';
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, t1, 0);
    while (memcmp(buf, want, 16))
        sched_yield();
    pthread_join(a, 0);
    return 0;
}
