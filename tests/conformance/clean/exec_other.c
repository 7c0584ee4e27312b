/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exec_other.c - exec ends the program as far as it can be checked, whatever its other
 * threads do; one that fails returns. */
#include <unistd.h>

#include "../conform.h"

static void *worker(void *arg)
{
    sched_yield();
    return arg;
}

int main(void)
{
    FAILS(execl("/nonexistent", "nonexistent", (char *)NULL), ENOENT);
    start(worker, NULL);
    execlp("true", "true", (char *)NULL);
    return 1;
}
