/* SPDX-License-Identifier: BSD-2-Clause
 *
 * endless_loop.c - a thread that never ends and never synchronises.
 * Expect: livelock
 * Options: --strategy dfs --livelock 3000 */
#include "../conform.h"

static volatile unsigned counter;

static void *worker(void *arg)
{
    for (;;)
        counter++;
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
