/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_pipe.c - a thread blocks in read on a pipe until another writes; every execution
 * has pipes of its own.
 * Reduction: threads share pipes, sockets or locks of files */
#include <unistd.h>

#include "../conform.h"

static int ends[2];

static void *reader(void *arg)
{
    char c = 0;

    IS(read(ends[0], &c, 1), 1);
    IS(c, 'w');
    return arg;
}

int main(void)
{
    IS(pipe(ends), 0);
    pthread_t t = start(reader, NULL);
    IS(write(ends[1], "w", 1), 1);
    finish(t);
    IS(close(ends[0]), 0);
    IS(close(ends[1]), 0);
    return 0;
}
