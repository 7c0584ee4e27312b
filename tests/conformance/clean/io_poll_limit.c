/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_poll_limit.c - poll with a time limit: it may be over before the other thread has
 * written, and virtual time has then passed; afterwards the data is there.
 * Reduction: threads share pipes, sockets or locks of files */
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "../conform.h"

static int ends[2];

static void *sender(void *arg)
{
    IS(write(ends[1], "a", 1), 1);
    return arg;
}

int main(void)
{
    struct timespec before, after;

    IS(pipe(ends), 0);
    struct pollfd look = { .fd = ends[0], .events = POLLIN };
    pthread_t t = start(sender, NULL);

    clock_gettime(CLOCK_MONOTONIC, &before);
    int n = poll(&look, 1, 1000);

    clock_gettime(CLOCK_MONOTONIC, &after);
    IS(n == 1 || (n == 0 && after.tv_sec > before.tv_sec), 1);
    finish(t);
    IS(poll(&look, 1, 1000), 1);
    IS(look.revents, POLLIN);
    return 0;
}
