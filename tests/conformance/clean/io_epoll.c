/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_epoll.c - an event loop over an eventfd and a socket pair, woken by another thread.  The
 * waits are waits: nothing has to be cut short for the search to end.
 * Reduction: threads share pipes, sockets or locks of files */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../conform.h"

static int bell, pair[2];

static void *other(void *arg)
{
    char c;

    IS(eventfd_write(bell, 1), 0);
    IS(write(pair[1], "q", 1), 1);
    IS(read(pair[1], &c, 1), 1);
    IS(c, 'r');
    return arg;
}

static void add(int set, int fd)
{
    struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

    IS(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), 0);
}

static void take(int fd)
{
    eventfd_t rings;
    char c;

    if (fd == bell) {
        IS(eventfd_read(bell, &rings), 0);
        IS(rings, 1);
    } else {
        IS(read(pair[0], &c, 1), 1);
        IS(write(pair[0], "r", 1), 1);
    }
}

int main(void)
{
    struct epoll_event event[2];
    int set = epoll_create1(0);

    bell = eventfd(0, 0);
    IS(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    add(set, bell);
    add(set, pair[0]);
    pthread_t t = start(other, NULL);
    for (int left = 2; left > 0;) {
        int n = epoll_wait(set, event, 2, -1);

        IS(n == 1 || n == 2, 1);
        for (int i = 0; i < n; i++)
            take(event[i].data.fd);
        left -= n;
    }
    finish(t);
    close(set);
    close(bell);
    close(pair[0]);
    close(pair[1]);
    return 0;
}
