/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_update_bug - two threads count up with a load and a store.
 *
 * Claim: both are counted.  False when both load first.
 * Twin: lost_update_fixed.c. */
#include "../litmus.h"

static int counter;

static void *count(void *arg)
{
    visible_write(counter, visible_read(counter) + 1);
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
