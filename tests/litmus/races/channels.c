/* SPDX-License-Identifier: BSD-2-Clause
 *
 * channels - what is handed over through the kernel is ordered by that; what merely uses the
 * kernel, too, is not.  Each variant is a way to tell and one to learn.  In those that race
 * nothing is learnt: a relaxed flag makes sure that the second thread comes after the first
 * all the same, so that taking all input and output for one object would hide every race. */
#include "races.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IN, OUT };

static int data, told;
static int a[2], b[2]; /* the ends of two pipes, or of two pairs of sockets */
static int bell[2];
static int set, listener;
static struct sockaddr_in here;
static FILE *stream[2];

static void put(int fd)
{
    if (write(fd, "12345678", 8) != 8)
        _exit(1);
}

static int take(int fd)
{
    char text[8];

    return (int)read(fd, text, sizeof text);
}

static void watch(int in, int fd, unsigned events)
{
    struct epoll_event e = { .events = events, .data.fd = fd };

    epoll_ctl(in, EPOLL_CTL_ADD, fd, &e);
}

static void await(int in)
{
    struct epoll_event e;

    epoll_wait(in, &e, 1, -1);
}

/* Ready for reading, by one of the calls that look at several. */
static void look(int one, int other, bool selects)
{
    struct pollfd both[2] = { { one, POLLIN, 0 }, { other, POLLIN, 0 } };
    fd_set wanted;

    if (!selects) {
        poll(both, 2, -1);
        return;
    }
    FD_ZERO(&wanted);
    FD_SET(one, &wanted);
    FD_SET(other, &wanted);
    select((one > other ? one : other) + 1, &wanted, NULL, NULL, NULL);
}

static int connected(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (connect(fd, (struct sockaddr *)&here, sizeof here) != 0)
        _exit(1);
    return fd;
}

/* Another process hands on what it reads from a. */
static void relay(void)
{
    if (fork() != 0)
        return;
    take(a[IN]);
    put(b[OUT]);
    _exit(0);
}

/* The descriptor goes through b, and what comes out has a number of its own. */
static void pass(int fd)
{
    char room[CMSG_SPACE(sizeof fd)] = "", byte = 0;
    struct iovec v = { &byte, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = room,
                        .msg_controllen = sizeof room };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    if (sendmsg(b[OUT], &m, 0) != 1)
        _exit(1);
}

static int passed(void)
{
    char room[CMSG_SPACE(sizeof(int))], byte;
    struct iovec v = { &byte, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = room,
                        .msg_controllen = sizeof room };
    int fd;

    if (recvmsg(b[IN], &m, 0) != 1)
        _exit(1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static char much[1 << 18];

/* As much as there is room for. */
static void fill(int fd)
{
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (write(fd, much, 4096) > 0)
        continue;
    fcntl(fd, F_SETFL, 0);
}

static void drain(int fd)
{
    static char drained[sizeof much]; /* read would race with the write from `much` */

    (void)!read(fd, drained, sizeof drained);
}

/* ---- before the threads ---------------------------------------------------------------- */

static void open_pipes(void)
{
    bool sockets = is("pair") || is("own-pairs") || is("back") || is("passed") ||
                   is("full-pair") || is("own-direction");

    if (sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, a) + socketpair(AF_UNIX, SOCK_STREAM, 0, b)
                : pipe(a) + pipe(b))
        _exit(1);
    bell[0] = eventfd(0, 0);
    bell[1] = eventfd(1, 0);
    set = epoll_create1(0);
}

static void open_tcp(void)
{
    socklen_t n = sizeof here;

    here = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&here, n) != 0 || listen(listener, 4) != 0 ||
        getsockname(listener, (struct sockaddr *)&here, &n) != 0)
        _exit(1);
    if (is("tcp") || is("own-tcp")) {
        a[OUT] = connected();
        a[IN] = accept(listener, NULL, NULL);
        b[OUT] = connected();
        b[IN] = accept(listener, NULL, NULL);
    }
}

static void prepare(void)
{
    const eventfd_t almost_all = UINT64_MAX - 1;
    int outer;

    for (int i = 0; is("many") && i < 600; i++)
        if (pipe(a) != 0 || close(a[IN]) != 0 || close(a[OUT]) != 0)
            _exit(1);
    open_pipes();
    open_tcp();
    if (is("other-pipe") || is("other-poll") || is("other-epoll") || is("two-readers"))
        put(b[OUT]);
    if (is("two-readers"))
        put(b[OUT]);
    if (is("full-pipe") || is("full-poll") || is("full-pair"))
        fill(a[OUT]);
    if (is("full-bell"))
        eventfd_write(bell[0], almost_all);
    if (is("passed"))
        pass(a[OUT]);
    if (is("relay"))
        relay();
    if (is("full-epoll")) {
        fill(a[OUT]);
        watch(set, a[OUT], EPOLLOUT);
    }
    if (is("epoll") || is("epoll-alone") || is("nested") || is("two-sets"))
        watch(set, a[IN], EPOLLIN);
    if (is("two-sets"))
        watch(epoll_create1(0), a[IN], EPOLLIN);
    if (is("epoll") || is("other-epoll")) {
        watch(set, b[IN], EPOLLIN);
        watch(set, bell[0], EPOLLIN);
    }
    if (is("listening"))
        watch(set, listener, EPOLLIN);
    if (is("deserted"))
        a[IN] = connected();
    if (is("nested")) {
        outer = epoll_create1(0);
        watch(outer, set, EPOLLIN);
        set = outer;
    }
    if (is("stream")) {
        stream[IN] = fdopen(a[IN], "r");
        stream[OUT] = fdopen(a[OUT], "w");
    }
    if (is("signal")) {
        sigset_t all;

        sigemptyset(&all);
        sigaddset(&all, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
    }
}

/* ---- what the first thread does behind its write of the data ------------------------------ */

static void tell(void)
{
    int copy;

    if (is("close") || is("hang-up"))
        close(a[OUT]);
    else if (is("replaced"))
        dup2(bell[0], a[OUT]);
    else if (is("deserted"))
        close(listener);
    else if (is("broken"))
        close(a[IN]);
    else if (is("copy")) {
        copy = dup(a[OUT]);
        put(copy);
        close(copy);
    } else if (is("bell") || is("own-bells"))
        eventfd_write(bell[0], 1);
    else if (is("full-pipe") || is("full-poll") || is("full-pair") || is("full-epoll") ||
             is("full-late"))
        drain(a[IN]);
    else if (is("full-bell"))
        take(bell[0]);
    else if (is("accept") || is("listening"))
        connected();
    else if (is("watch"))
        watch(set, a[IN], EPOLLIN);
    else if (is("stream")) {
        fputs("line\n", stream[OUT]);
        fflush(stream[OUT]);
    } else if (is("signal"))
        kill(getpid(), SIGUSR1);
    else if (is("passed"))
        put(passed());
    else if (is("back"))
        put(a[IN]);
    else if (is("two-readers"))
        take(b[IN]);
    else
        put(a[OUT]);
}

/* ---- what the second thread does before it reads the data --------------------------------- */

static bool learn(void)
{
    sigset_t usr1;
    char line[8];
    int number;

    if (is("pipe") || is("many") || is("pair") || is("tcp") || is("copy") || is("close") ||
        is("replaced") || is("deserted") || is("passed") || is("early"))
        take(a[IN]);
    else if (is("back"))
        take(a[OUT]);
    else if (is("bell"))
        take(bell[0]);
    else if (is("poll") || is("hang-up"))
        look(a[IN], b[IN], false);
    else if (is("select"))
        look(a[IN], b[IN], true);
    else if (is("other-poll"))
        look(b[IN], bell[0], false);
    else if (is("broken")) {
        signal(SIGPIPE, SIG_IGN);
        return write(a[OUT], "x", 1) < 0;
    } else if (is("epoll")) {
        await(set);
        take(a[IN]);
    } else if (is("epoll-alone") || is("nested") || is("listening") || is("full-epoll") ||
               is("two-sets"))
        await(set);
    else if (is("watch-late")) {
        watch(set, a[IN], EPOLLIN);
        await(set);
    } else if (is("other-epoll")) {
        await(set);
        take(b[IN]);
    } else if (is("watch")) {
        put(a[OUT]);
        await(set);
    } else if (is("full-pipe") || is("full-pair"))
        put(a[OUT]);
    else if (is("full-bell"))
        eventfd_write(bell[0], 2);
    else if (is("full-poll"))
        poll(&(struct pollfd){ a[OUT], POLLOUT, 0 }, 1, -1);
    else if (is("accept"))
        accept(listener, NULL, NULL);
    else if (is("stream"))
        (void)!fgets(line, sizeof line, stream[IN]);
    else if (is("signal")) {
        sigemptyset(&usr1);
        sigaddset(&usr1, SIGUSR1);
        sigwait(&usr1, &number);
    } else if (is("full-late")) { /* in two parts, of which the second may find room at once */
        (void)!write(a[OUT], much, 61440);
        (void)!write(a[OUT], much, 8192);
    } else if (is("own-bells"))
        take(bell[1]);
    else if (is("other-pipe") || is("two-readers") || is("relay"))
        take(b[IN]);
    else if (is("own-direction"))
        put(a[IN]);
    else if (is("two-writers"))
        put(a[OUT]);
    else /* own-pipes, own-pairs, own-tcp */
        put(b[OUT]);
    return true;
}

static bool races(void)
{
    return is("early") || strncmp(variant, "own-", 4) == 0 || strncmp(variant, "two-", 4) == 0 ||
           strncmp(variant, "other-", 6) == 0;
}

static void *first(void *arg)
{
    if (is("early"))
        tell();
    PUT(data, 1);
    if (!is("early"))
        tell();
    visible_write(told, 1);
    return arg;
}

static void *second(void *arg)
{
    while (races() && !visible_read(told))
        continue;
    if (learn())
        (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    prepare();
    return run_two(argc, argv, first, second);
}
