/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_io.c - calls that read from descriptors, or wait for them.
 *
 * Two dangers.  A system call that writes into a write-protected page fails with
 * EFAULT and raises no signal: so its buffer is made writable first.  And a call
 * that blocks stops all fibers, also the one that would end the wait (the other
 * end of a pipe): so it is made only when it will not block; until then the
 * thread polls and lets the others go. */
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/early.h"
#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/intercept_time.h"
#include "runtime/real.h"

#define NS_PER_MS 1000000
#define SMALL_REQUEST 128

/* The target's own poll set is on its stack or in its data, so ours is here. */
static bool is_ready(int fd, short events)
{
    static struct pollfd look;

    look = (struct pollfd){ fd, events, 0 };
    return hd_sys(SYS_poll, &look, 1, 0) != 0; /* errors too: the real call tells */
}

void hd_io_wait_ready(int fd, short events, uint64_t pc)
{
    if (fd == STDIN_FILENO || (hd.cur == NULL && hd_early_waiting == 0) || is_ready(fd, events))
        return;
    if (hd.cur == NULL) {
        hd_early_await();
        return;
    }
    if ((hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) != 0)
        return;
    hd_uncontrolled("blocking I/O between threads: a poll, not a wait that Heddle understands");
    do {
        hd_cancel_point();
        hd_yield(pc);
    } while (!is_ready(fd, events));
}

__attribute__((noinline)) void hd_io_writes(volatile void *p, size_t n)
{
    if (hd.cur != NULL && p != NULL)
        hd_snapshot_touch(p, n);
}

static void vector_writes(const struct iovec *v, int n)
{
    for (int i = 0; i < n; i++)
        hd_io_writes(v[i].iov_base, v[i].iov_len);
}

/* ---- reading and writing ------------------------------------------------------------- */

ssize_t __read_chk(int fd, void *buf, size_t n, size_t room);
ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags);

HD_EXPORT ssize_t read(int fd, void *buf, size_t n)
{
    hd_io_wait_ready(fd, POLLIN, HD_PC);
    hd_io_writes(buf, n);
    return HD_REAL(read)(fd, buf, n);
}

HD_EXPORT ssize_t __read_chk(int fd, void *buf, size_t n, size_t room)
{
    hd_io_wait_ready(fd, POLLIN, HD_PC);
    hd_io_writes(buf, n);
    return HD_REAL(__read_chk)(fd, buf, n, room);
}

HD_EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
    hd_io_wait_ready(fd, POLLIN, HD_PC);
    vector_writes(v, n);
    return HD_REAL(readv)(fd, v, n);
}

HD_EXPORT ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
    hd_io_writes(buf, n);
    return HD_REAL(pread)(fd, buf, n, at);
}

HD_EXPORT ssize_t pread64(int fd, void *buf, size_t n, off64_t at)
{
    hd_io_writes(buf, n);
    return HD_REAL(pread64)(fd, buf, n, at);
}

HD_EXPORT ssize_t preadv(int fd, const struct iovec *v, int n, off_t at)
{
    vector_writes(v, n);
    return HD_REAL(preadv)(fd, v, n, at);
}

HD_EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
    if (fd > STDERR_FILENO) /* the reader of the program's output is outside */
        hd_io_wait_ready(fd, POLLOUT, HD_PC);
    return HD_REAL(write)(fd, buf, n);
}

/* ---- sockets ---------------------------------------------------------------------------- */

static void receives(int fd, int flags, uint64_t pc)
{
    if (hd.cur != NULL && (flags & MSG_DONTWAIT) == 0)
        hd_io_wait_ready(fd, POLLIN, pc);
}

static void address_writes(struct sockaddr *a, socklen_t *len)
{
    if (a == NULL || len == NULL)
        return;
    hd_io_writes(a, *len);
    hd_io_writes(len, sizeof *len);
}

HD_EXPORT ssize_t recv(int fd, void *buf, size_t n, int flags)
{
    receives(fd, flags, HD_PC);
    hd_io_writes(buf, n);
    return HD_REAL(recv)(fd, buf, n, flags);
}

HD_EXPORT ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags)
{
    receives(fd, flags, HD_PC);
    hd_io_writes(buf, n);
    return HD_REAL(__recv_chk)(fd, buf, n, room, flags);
}

HD_EXPORT ssize_t recvfrom(int fd, void *buf, size_t n, int flags, __SOCKADDR_ARG from,
                           socklen_t *len)
{
    receives(fd, flags, HD_PC);
    hd_io_writes(buf, n);
    address_writes(from.__sockaddr__, len);
    return HD_REAL(recvfrom)(fd, buf, n, flags, from, len);
}

HD_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    receives(fd, flags, HD_PC);
    if (hd.cur != NULL) {
        hd_io_writes(m, sizeof *m);
        hd_io_writes(m->msg_name, m->msg_namelen);
        hd_io_writes(m->msg_control, m->msg_controllen);
        vector_writes(m->msg_iov, (int)m->msg_iovlen);
    }
    return HD_REAL(recvmsg)(fd, m, flags);
}

HD_EXPORT ssize_t send(int fd, const void *buf, size_t n, int flags)
{
    if ((flags & MSG_DONTWAIT) == 0)
        hd_io_wait_ready(fd, POLLOUT, HD_PC);
    return HD_REAL(send)(fd, buf, n, flags);
}

HD_EXPORT int accept(int fd, __SOCKADDR_ARG from, socklen_t *len)
{
    receives(fd, 0, HD_PC);
    address_writes(from.__sockaddr__, len);
    hd_io_descriptor();
    return HD_REAL(accept)(fd, from, len);
}

HD_EXPORT int accept4(int fd, __SOCKADDR_ARG from, socklen_t *len, int flags)
{
    receives(fd, 0, HD_PC);
    address_writes(from.__sockaddr__, len);
    hd_io_descriptor();
    return HD_REAL(accept4)(fd, from, len, flags);
}

HD_EXPORT int getsockname(int fd, __SOCKADDR_ARG a, socklen_t *len)
{
    address_writes(a.__sockaddr__, len);
    return HD_REAL(getsockname)(fd, a, len);
}

HD_EXPORT int getpeername(int fd, __SOCKADDR_ARG a, socklen_t *len)
{
    address_writes(a.__sockaddr__, len);
    return HD_REAL(getpeername)(fd, a, len);
}

HD_EXPORT int getsockopt(int fd, int level, int option, void *value, socklen_t *len)
{
    if (hd.cur != NULL && len != NULL) {
        hd_io_writes(value, *len);
        hd_io_writes(len, sizeof *len);
    }
    return HD_REAL(getsockopt)(fd, level, option, value, len);
}

/* What a request writes is known for those that say its size; the old ones of
 * terminals and sockets are small. */
HD_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list ap;

    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    hd_io_writes(arg, _IOC_SIZE(request) != 0 ? _IOC_SIZE(request) : SMALL_REQUEST);
    return HD_REAL(ioctl)(fd, request, arg);
}

/* ---- waiting for several descriptors --------------------------------------------------- */

/* One round of a wait that found nothing: false when its time is over.  A limit
 * below 0 means for ever; any other time-out is a schedule, so it may be over
 * after the first yield. */
static bool wait_round(int64_t limit_ns, uint64_t pc)
{
    hd_cancel_point();
    if (limit_ns == 0)
        return false;
    if (limit_ns < 0) {
        hd_yield(pc);
        return true;
    }
    hd_sleep_until(hd.now_ns + (uint64_t)limit_ns, pc);
    return false;
}

HD_POLL_ENTRY(poll);
int hd_impl_poll(struct pollfd *set, nfds_t n, int ms)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(poll)(set, n, ms);
    int64_t limit = ms < 0 ? -1 : (int64_t)ms * NS_PER_MS;
    int ready;

    hd_io_writes(set, n * sizeof *set);
    while ((ready = HD_REAL(poll)(set, n, 0)) == 0)
        if (!wait_round(limit, HD_PC))
            return HD_REAL(poll)(set, n, 0);
    return ready;
}

HD_POLL_ENTRY(epoll_wait);
int hd_impl_epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(epoll_wait)(fd, events, max, ms);
    int64_t limit = ms < 0 ? -1 : (int64_t)ms * NS_PER_MS;
    int ready;

    hd_io_writes(events, max > 0 ? (size_t)max * sizeof *events : 0);
    while ((ready = HD_REAL(epoll_wait)(fd, events, max, 0)) == 0)
        if (!wait_round(limit, HD_PC))
            return HD_REAL(epoll_wait)(fd, events, max, 0);
    return ready;
}

/* Of a relative limit that may be absent. */
static int64_t limit_ns(const struct timespec *t)
{
    return t == NULL ? -1 : (int64_t)hd_time_ns(t);
}

HD_POLL_ENTRY(ppoll);
int hd_impl_ppoll(struct pollfd *set, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    static const struct timespec at_once;
    int ready;

    if (hd.cur == NULL)
        return HD_REAL_WAIT(ppoll)(set, n, limit, mask);
    hd_io_writes(set, n * sizeof *set);
    while ((ready = HD_REAL(ppoll)(set, n, &at_once, mask)) == 0)
        if (!wait_round(limit_ns(limit), HD_PC))
            return HD_REAL(ppoll)(set, n, &at_once, mask);
    return ready;
}

HD_POLL_ENTRY(epoll_pwait);
int hd_impl_epoll_pwait(int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
    int ready;

    if (hd.cur == NULL)
        return HD_REAL_WAIT(epoll_pwait)(fd, events, max, ms, mask);
    int64_t limit = ms < 0 ? -1 : (int64_t)ms * NS_PER_MS;

    hd_io_writes(events, max > 0 ? (size_t)max * sizeof *events : 0);
    while ((ready = HD_REAL(epoll_pwait)(fd, events, max, 0, mask)) == 0)
        if (!wait_round(limit, HD_PC))
            return HD_REAL(epoll_pwait)(fd, events, max, 0, mask);
    return ready;
}

/* The sets go in and out, so every look needs them as they were. */
struct select_sets {
    fd_set *given[3];
    fd_set kept[3];
};

static int select_now(int n, const struct select_sets *s)
{
    struct timeval at_once = { 0, 0 };

    for (int i = 0; i < 3; i++)
        if (s->given[i] != NULL)
            *s->given[i] = s->kept[i];
    return HD_REAL(select)(n, s->given[0], s->given[1], s->given[2], &at_once);
}

HD_POLL_ENTRY(select);
int hd_impl_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *limit)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(select)(n, r, w, x, limit);
    struct select_sets s = { .given = { r, w, x } };
    int64_t ns = limit == NULL ? -1 : limit->tv_sec * (int64_t)HD_NS_PER_S + limit->tv_usec * 1000;
    int ready;

    for (int i = 0; i < 3; i++)
        if (s.given[i] != NULL)
            s.kept[i] = *s.given[i];
    while ((ready = select_now(n, &s)) == 0)
        if (!wait_round(ns, HD_PC))
            return select_now(n, &s);
    return ready;
}
