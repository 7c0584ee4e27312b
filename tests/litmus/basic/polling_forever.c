/* SPDX-License-Identifier: BSD-2-Clause
 *
 * polling_forever - main polls a flag that no thread raises.
 *
 * Claim: main finishes.  False in every schedule: a livelock, which natively
 * burns a processor forever.  Twin: polling_fixed.c. */
#include <sched.h>

#include "../litmus.h"

static int flag;

static void *work(void *arg)
{
    visible_write(flag, 0);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    while (!visible_read(flag))
        sched_yield();
    join(worker);
    return 0;
}
