/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_select.c - a thread waits in pselect, and in eventfd_read, for what another
 * writes.
 * Reduction: threads share pipes, sockets or locks of files */
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

#include "../conform.h"

static int ends[2], event;

static void *writer(void *arg)
{
    IS(write(ends[1], "w", 1), 1);
    IS(eventfd_write(event, 3), 0);
    return arg;
}

int main(void)
{
    fd_set set;
    eventfd_t value = 0;

    IS(pipe(ends), 0);
    event = eventfd(0, 0);
    pthread_t t = start(writer, NULL);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    IS(pselect(ends[0] + 1, &set, NULL, NULL, NULL, NULL), 1);
    IS(FD_ISSET(ends[0], &set) != 0, 1);
    IS(eventfd_read(event, &value), 0);
    IS(value, 3);
    finish(t);
    return 0;
}
