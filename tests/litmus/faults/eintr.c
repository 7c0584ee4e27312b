/* SPDX-License-Identifier: BSD-2-Clause
 *
 * eintr.c - calls that wait and may end with EINTR.
 *
 *   sem, timed, sleep, read, write, poll, select, epoll, accept    the call, in a loop that begins again
 *
 * With `fatal` behind it the program takes EINTR for an error.  With `ready` it does so, too, but
 * there is nothing to wait for: such a call never ends with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../litmus.h"

static bool fatal;
static sem_t posted;
static int pair[2], set = -1;
static const struct timespec later = { 1, 0 };

static long wait_sem(void)
{
    return sem_wait(&posted);
}

static long wait_timed(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1000;
    long rc = sem_timedwait(&posted, &until);

    return rc != 0 && errno == ETIMEDOUT ? 0 : rc;
}

static long wait_sleep(void)
{
    return nanosleep(&later, NULL);
}

static long wait_read(void)
{
    char c;

    return read(pair[0], &c, 1);
}

static long wait_recv(void)
{
    char c[2];

    return recv(pair[0], c, sizeof c, MSG_WAITALL);
}

static long wait_poll(void)
{
    struct pollfd one = { pair[0], POLLIN, 0 };

    return poll(&one, 1, -1);
}

static long wait_select(void)
{
    fd_set r;

    FD_ZERO(&r);
    FD_SET(pair[0], &r);
    return select(pair[0] + 1, &r, NULL, NULL, NULL);
}

static long wait_epoll(void)
{
    struct epoll_event e;

    return epoll_wait(set, &e, 1, -1);
}

static const struct {
    const char *name;
    long (*call)(void);
} calls[] = {
    { "sem", wait_sem }, { "timed", wait_timed }, { "sleep", wait_sleep }, { "read", wait_read },
    { "recv", wait_recv }, { "poll", wait_poll }, { "select", wait_select }, { "epoll", wait_epoll },
};

static void *go(void *unused)
{
    sem_post(&posted);
    assert(write(pair[1], "ab", 2) == 2);
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    bool ready = strcmp(how, "ready") == 0;
    struct epoll_event e = { .events = EPOLLIN };
    pthread_t thread;
    long rc = -1;

    fatal = ready || strcmp(how, "fatal") == 0;
    sem_init(&posted, 0, 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && (set = epoll_create1(0)) >= 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &e) == 0);
    thread = spawn(go);
    if (ready)
        join(thread);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(argv[1], calls[i].name) == 0)
            while ((rc = calls[i].call()) < 0)
                assert(!fatal && errno == EINTR);
    assert(rc >= 0);
    if (!ready)
        join(thread);
    return 0;
}
