/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_timedjoin.c - a timed join with ample time; if it times out the ordinary join
 * follows. */
#include "../conform.h"

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    int x;
    pthread_t t = start(worker, &x);
    struct timespec end = in_ms(CLOCK_REALTIME, 50);
    void *value = NULL;
    int rc = pthread_timedjoin_np(t, &value, &end);

    if (rc == ETIMEDOUT)
        rc = pthread_join(t, &value);
    IS(rc, 0);
    IS(value == &x, 1);
    return 0;
}
