/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timerfds.c - timers that are read expire when the schedule says so, never by the real clock.
 * Each with a twin (`wrong` behind it) that believes what does not hold.
 *
 *   poll       it may be ready, and may be not, right after it was set
 *   epoll      who waits for a set waits for the timer in it
 *   copy       a copy of the descriptor is the same timer, also when the original is closed
 *   count      what was not read is counted
 *   ticks      a timer that repeats can be read again and again
 *   order      the one that is set to an earlier moment expires first
 *   off        one that is disarmed, or set anew, does not expire as it was set before
 *   left       what it is set to, and what it was
 *   never      to wait for one that is not set is to wait forever */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../litmus.h"

static int timer;
static bool wrong;

static struct itimerspec after(time_t seconds, time_t interval)
{
    return (struct itimerspec){ { interval, 0 }, { seconds, 0 } };
}

static void set(int fd, struct itimerspec to)
{
    assert(timerfd_settime(fd, 0, &to, NULL) == 0);
}

static uint64_t read_from(int fd)
{
    uint64_t n = 0;

    assert(read(fd, &n, sizeof n) == sizeof n);
    return n;
}

static bool is_ready(int fd)
{
    struct pollfd one = { fd, POLLIN, 0 };

    return poll(&one, 1, 0) == 1;
}

static void *setter(void *unused)
{
    set(timer, after(3600, 0));
    return unused;
}

static void do_poll(void)
{
    set(timer, after(1, 0));
    bool soon = is_ready(timer);

    assert(!(wrong && soon));
    read_from(timer);
    assert(!is_ready(timer));
}

static void do_epoll(void)
{
    int set_of = epoll_create1(0);
    struct epoll_event event = { .events = EPOLLIN, .data.u32 = 7 }, got;
    pthread_t thread = spawn(setter);

    assert(epoll_ctl(set_of, EPOLL_CTL_ADD, timer, &event) == 0);
    assert(epoll_wait(set_of, &got, 1, -1) == 1 && got.data.u32 == 7);
    assert(read_from(timer) == 1u + wrong);
    join(thread);
}

static void do_copy(void)
{
    int copy = dup(timer);

    set(copy, after(5, 0));
    if (wrong)
        set(timer, after(0, 0));
    close(timer);
    assert(read_from(copy) == 1);
}

static void do_count(void)
{
    set(timer, after(1, 1));
    uint64_t n = read_from(timer);

    assert(n >= 1);
    assert(!(wrong && n == 3));
    set(timer, after(0, 0));
    assert(!is_ready(timer));
}

static void do_ticks(void)
{
    uint64_t n = 0;

    set(timer, after(1, 1));
    for (int i = 0; i < 10; i++)
        n += read_from(timer);
    assert(n >= 10);
    assert(!(wrong && n == 12));
}

static void do_order(void)
{
    int later = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    uint64_t n;

    set(timer, after(wrong ? 30 : 10, 0));
    set(later, after(20, 0));
    while (read(later, &n, sizeof n) != sizeof n)
        assert(errno == EAGAIN);
    assert(is_ready(timer));
}

static void do_off(void)
{
    struct itimerspec old, next = after(60, 0);

    set(timer, after(10, 0));
    assert(timerfd_settime(timer, 0, &next, &old) == 0);
    if (wrong || old.it_value.tv_sec == 0) { /* it has expired already: that is forgotten */
        set(timer, after(0, 0));
        assert(!is_ready(timer));
    }
    if (wrong || old.it_value.tv_sec != 0)
        assert(read_from(timer) == 1);
}

static void do_left(void)
{
    struct itimerspec now;

    set(timer, after(10, 4));
    assert(timerfd_gettime(timer, &now) == 0);
    assert(now.it_interval.tv_sec == 4 && now.it_value.tv_sec <= 10);
    assert(!(wrong && now.it_value.tv_sec < 9));
    assert(syscall(SYS_timerfd_settime, timer, 0, &(struct itimerspec){ { 0, 0 }, { 0, 0 } }, &now) == 0);
    assert(now.it_interval.tv_sec == 4);
    assert(timerfd_gettime(timer, &now) == 0 && now.it_value.tv_sec == 0 && now.it_value.tv_nsec == 0);
}

static void do_never(void)
{
    pthread_t thread = spawn(setter);

    if (wrong) {
        join(thread);
        set(timer, after(0, 0));
    }
    assert(read_from(timer) == 1);
    if (!wrong)
        join(thread);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    { "poll", do_poll }, { "epoll", do_epoll }, { "copy", do_copy }, { "count", do_count },
    { "ticks", do_ticks }, { "order", do_order }, { "off", do_off }, { "left", do_left },
    { "never", do_never },
};

int main(int argc, char **argv)
{
    wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    return 0;
}
