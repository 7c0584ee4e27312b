/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_reuse.c - a local control is a new one in every call. */
#include "../conform.h"

static int n;

static void routine(void)
{
    n++;
}

static __attribute__((noinline)) void run(void)
{
    pthread_once_t control = PTHREAD_ONCE_INIT;

    IS(pthread_once(&control, routine), 0);
    IS(pthread_once(&control, routine), 0);
}

int main(void)
{
    run();
    run();
    IS(n, 2);
    return 0;
}
