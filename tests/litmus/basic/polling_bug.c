/* SPDX-License-Identifier: BSD-2-Clause
 *
 * polling_bug - main polls a flag that a worker raises before its result is there.
 *
 * Claim: main finds the result, and the polling neither hangs the search nor
 * makes it endless.  False between the worker's two writes.
 * Twin: polling_fixed.c. */
#include <sched.h>

#include "../litmus.h"

static int flag, result;

static void *work(void *arg)
{
    visible_write(flag, 1);
    visible_write(result, 1);
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
