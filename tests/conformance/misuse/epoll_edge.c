/* SPDX-License-Identifier: BSD-2-Clause
 *
 * epoll_edge.c - a loop that takes one message per wake-up from an edge-triggered set: when
 * two come before it looks, it waits forever for the second.
 * Expect: deadlock */
#include <sys/epoll.h>
#include <unistd.h>

#include "../conform.h"

static int ends[2];

static void *sender(void *arg)
{
    IS(write(ends[1], "a", 1), 1);
    IS(write(ends[1], "b", 1), 1);
    return arg;
}

int main(void)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLET };
    char c;

    IS(pipe(ends), 0);
    int set = epoll_create1(0);
    IS(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event), 0);
    pthread_t t = start(sender, NULL);
    for (int i = 0; i < 2; i++) {
        IS(epoll_wait(set, &event, 1, -1), 1);
        IS(read(ends[0], &c, 1), 1);
    }
    finish(t);
    return 0;
}
