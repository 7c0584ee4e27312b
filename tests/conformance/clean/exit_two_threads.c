/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_two_threads.c - two threads call exit at once: the handlers run once.
 * Native: skip */
#include "../conform.h"

static int runs;

static void at_exit(void)
{
    IS(runs++, 0);
}

static void *worker(void *arg)
{
    exit(0);
    return arg;
}

int main(void)
{
    IS(atexit(at_exit), 0);
    start(worker, NULL);
    exit(0);
}
