/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_code_of_thread.c - a thread calls exit with a failure if it is the first to exit.
 * Expect: exit-code */
#include "../conform.h"

static void *worker(void *arg)
{
    exit(5);
    return arg;
}

int main(void)
{
    start(worker, NULL);
    return 0;
}
