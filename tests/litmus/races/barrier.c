/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier - everything before it comes before everything after it. */
#include "races.h"

static int x[2];
static pthread_barrier_t barrier;

static void work(int me)
{
    PUT(x[me], 1);
    if (!is("missing"))
        pthread_barrier_wait(&barrier);
    (void)GET(x[1 - me]);
}

static void *one(void *arg)
{
    work(0);
    return arg;
}

static void *other(void *arg)
{
    work(1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_barrier_init(&barrier, NULL, 2);
    return run_two(argc, argv, one, other);
}
