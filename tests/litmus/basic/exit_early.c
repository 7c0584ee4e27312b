/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_early - main returns while a worker still runs.
 *
 * Claim: that is no finding.  The exit is one step of main, the worker has two
 * (start, write), and the end of the process waits for the worker: C(3, 1)
 * orders. */
#include "../litmus.h"

static int shared;

static void *work(void *arg)
{
    visible_write(shared, 1);
    return arg;
}

int main(void)
{
    spawn(work);
    return 0;
}
