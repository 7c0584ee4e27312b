/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_update_fixed - two threads count up with one atomic addition each.
 *
 * Claim: both are counted.  True.  Twin: lost_update_bug.c. */
#include "../litmus.h"

static int counter;

static void *count(void *arg)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(count);

    count(NULL);
    join(worker);
    assert(counter == 2);
    return 0;
}
