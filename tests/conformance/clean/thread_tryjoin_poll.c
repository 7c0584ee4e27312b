/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_tryjoin_poll.c - polling with tryjoin until the thread has ended. */
#include <sched.h>

#include "../conform.h"

static int x;

static void *worker(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, &x);
    void *value;
    int rc;

    while ((rc = pthread_tryjoin_np(t, &value)) == EBUSY)
        sched_yield();
    IS(rc, 0);
    IS(value == &x, 1);
    IS(x, 1);
    return 0;
}
