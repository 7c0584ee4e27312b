/* SPDX-License-Identifier: BSD-2-Clause
 *
 * polling_fixed - main polls a flag that a worker raises after its result is there.
 *
 * Claim: main finds the result, and the polling neither hangs the search nor
 * makes it endless.  True.
 * Twin: polling_bug.c. */
#include <sched.h>

#include "../litmus.h"

static int flag, result;

static void *work(void *arg)
{
    visible_write(result, 1);
    visible_write(flag, 1);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    while (!visible_read(flag))
        sched_yield();
    assert(visible_read(result) == 1);
    join(worker);
    return 0;
}
