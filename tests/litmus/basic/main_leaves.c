/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main_leaves - main ends itself with pthread_exit, so that only the worker is
 * left.
 *
 * Claim: that is no finding.  The end of a thread is no step and the worker can
 * only go on: 1 order.  What libc and its unwinder do inside pthread_exit must
 * not show as a step either. */
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
    pthread_exit(NULL);
}
