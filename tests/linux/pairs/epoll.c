/* SPDX-License-Identifier: BSD-2-Clause
 *
 * epoll.c - epoll: a descriptor becomes ready while it is being added; the event is not lost. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int poll_fd, event_fd;

static void setup(void)
{
    poll_fd = epoll_create1(0);
    event_fd = eventfd(0, EFD_NONBLOCK);
    hd_kernel_check(poll_fd >= 0 && event_fd >= 0);
}

static void adds(void)
{
    struct epoll_event e = { .events = EPOLLIN | EPOLLET };

    hd_call(epoll_ctl(poll_fd, EPOLL_CTL_ADD, event_fd, &e));
}

static void writes(void)
{
    unsigned long one = 1;

    hd_call(write(event_fd, &one, sizeof one));
}

static void check(void)
{
    struct epoll_event e;

    hd_kernel_check(epoll_wait(poll_fd, &e, 1, 0) == 1);
    close(poll_fd);
    close(event_fd);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { adds, writes }, .check = check };
