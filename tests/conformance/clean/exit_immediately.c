/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_immediately.c - _exit runs no handlers. */
#include <unistd.h>

#include "../conform.h"

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    IS(atexit(abort), 0);
    IS(at_quick_exit(abort), 0);
    finish(start(worker, NULL));
    _exit(0);
}
