/* SPDX-License-Identifier: BSD-2-Clause
 *
 * membarrier - readers without a fence, a writer that makes every thread have one: as
 * read-copy-update does it. */
#include "races.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static int reading, data;

static void *reader(void *arg)
{
    __atomic_store_n(&reading, 1, __ATOMIC_RELAXED);
    (void)GET(data);
    __atomic_store_n(&reading, 2, __ATOMIC_RELAXED);
    return arg;
}

static void *writer(void *arg)
{
    if (__atomic_load_n(&reading, __ATOMIC_RELAXED) == 2) {
        if (!is("none"))
            syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
        PUT(data, 1);
    }
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, reader, writer);
}
