/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io.c - calls that read from descriptors and write to them.
 *
 * There are two problems.  First, a system call that writes into a write-protected page fails with
 * EFAULT and raises no signal.  So the interposer makes the buffer writable first.  Second, a call
 * that blocks stops all fibers, including the one that would end the wait (at the other end of a
 * pipe).  So the interposer makes the call only when it will not block; until then the thread polls
 * and lets other threads run.
 *
 * Threads that communicate through the kernel do so in some order.  So every call on a pipe,
 * socket, eventfd or file (files.h) is a visible operation. */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/time.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/transaction.h"

/* Waits until fd is ready, if its other end is outside the program or belongs to a thread from
 * before main. */
static void wait_outside(int fd, short events, uint64_t pc)
{
    if ((hd.cur == NULL && hd_early_thread_waiting == 0) || hd_io_is_ready(fd, events))
        return;
    if (hd.cur == NULL) {
        hd_early_thread_await();
        return;
    }
    if ((hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) != 0)
        return;
    hd_fact(HD_FACT_IO);
    do {
        hd_cancel_point();
        hd_yield(pc);
    } while (!hd_io_comes_from_outside(fd, events));
}

/* The objects that the current operation uses besides its own object; NULL: none. */
static struct {
    struct hd_obj *position, *contents;
    bool write;
    short events; /* for a pipe: POLLIN or POLLOUT, whichever the operation does */
    uint64_t pc;
} now;

/* Begins an operation on an ordinary file.  It starts at the file position, where the previous
 * operation ended.  While the thread waited for its turn, the descriptor number may have been
 * reused for another file.  Returns true if it is a visible operation. */
static bool file_begin(int fd, bool write, uint64_t pc)
{
    struct hd_obj *position = hd_files_position(fd);

    if (position == NULL && !write && hd_shared_may_conflict())
        hd_fact(HD_FACT_OUTPUT);
    if (position == NULL)
        return false;
    bool begun = hd_shared_begin(HD_EV_STATE_WRITE, position, pc);
    struct hd_obj *at_turn = hd_files_position(fd), *contents = hd_files_contents(fd);

    if (!begun) {
        hd_shared_also(false, contents, write, pc);
        return false;
    }
    now.position = at_turn != position ? at_turn : NULL;
    now.contents = contents;
    now.write = write;
    now.pc = pc;
    return true;
}

static bool one_is_ready(const void *what)
{
    const struct pollfd *one = what;

    return hd_io_is_ready(one->fd, one->events);
}

static bool one_is_inner(const void *what)
{
    const struct pollfd *one = what;

    return hd_files_is_inner(one->fd);
}

/* Announces the operation and waits for its turn.  With `waits`, also waits until fd is ready.  If
 * `ended` is not NULL, a signal handler or a fault may end the wait, and the function returns false
 * in that case. */
static bool pipe_begin(int fd, short events, bool waits, bool *ended, uint64_t pc)
{
    struct pollfd one = { fd, events, 0 };
    struct hd_io_wait wait = { one_is_ready, one_is_inner, &one, 0 };

    if (waits && one_is_inner(&one)) {
        if (ended == NULL)
            hd_io_await(&wait, pc);
        else if (!hd_io_await_ends(&wait, -1, HD_WAIT_RESTARTS, ended, pc))
            return false;
    } else {
        hd_cancel_point();
        hd_io_attempt(pc);
    }
    while (waits && !hd_io_is_ready(fd, events)) {
        hd_io_retry(pc);
        while (!hd_io_comes_from_outside(fd, events)) {
            hd_yield(pc);
            hd_cancel_point();
        }
        hd_io_attempt(pc);
    }
    return true;
}

static bool begin(int fd, short events, bool waits, bool *ended, uint64_t pc)
{
    if (hd.cur == NULL || !hd_files_is_pipe(fd)) {
        hd_tx_calls_kernel(pc);
        if (events != 0)
            hd_cancel_point();
        if (waits && fd != STDIN_FILENO)
            wait_outside(fd, events, pc);
        return hd.cur != NULL && events != 0 && file_begin(fd, (events & POLLOUT) != 0, pc);
    }
    waits = waits && (hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) == 0;
    if (!pipe_begin(fd, events, waits, ended, pc))
        return false;
    hd_channel_at(fd);
    now.position = now.contents = NULL;
    now.events = events;
    return true;
}

bool hd_io_begin(int fd, short events, bool waits, uint64_t pc)
{
    return begin(fd, events, waits, NULL, pc);
}

bool hd_io_begin_ends(int fd, short events, bool waits, bool *ended, uint64_t pc)
{
    *ended = false;
    bool begun = begin(fd, events, waits, ended, pc);

    if (HD_UNLIKELY(*ended))
        errno = EINTR;
    return begun;
}

void hd_io_end(bool begun, long result)
{
    unsigned flags = result < 0 ? HD_EVF_FAILED : 0;

    if (!begun)
        return;
    if (hd_kind_is_io(hd_pending()->kind)) {
        hd_channel_transferred(now.events, result);
        hd_channel_flow((uint64_t)result, flags);
        return;
    }
    hd_done((uint64_t)result, flags);
    hd_shared_also(true, now.position, true, now.pc);
    hd_shared_also(true, now.contents, now.write, now.pc);
    hd_files_contents_flow(result >= 0, now.contents, now.write, now.pc);
}

__attribute__((noinline)) void hd_io_writes(volatile void *p, size_t n)
{
    if (hd.cur != NULL && p != NULL)
        hd_snapshot_touch(p, n);
}

void hd_io_vector_writes(const struct iovec *v, int n)
{
    for (int i = 0; i < n; i++)
        hd_io_writes(v[i].iov_base, v[i].iov_len);
}

void hd_io_vector_accessed(const struct iovec *v, int n, ssize_t bytes, bool write, uint64_t pc)
{
    size_t left = bytes > 0 ? (size_t)bytes : 0;

    if (hd.cur == NULL)
        return;
    for (int i = 0; i < n && left != 0; i++) {
        size_t part = v[i].iov_len < left ? v[i].iov_len : left;

        hd_range_of_call(v[i].iov_base, part, write, pc);
        left -= part;
    }
}

/* ---- reading and writing ------------------------------------------------------------- */

ssize_t __read_chk(int fd, void *buf, size_t n, size_t room);
ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags);

/* The body of an interposer: makes `call` on fd when fd is ready, and runs `after` at the end. */
#define ON_READY(type, fd, events, waits, call, after)             \
    bool ended, begun = hd_io_begin_ends(fd, events, waits, &ended, HD_PC); \
                                                                   \
    if (ended)                                                     \
        return -1;                                                 \
    type result = call;                                            \
                                                                   \
    hd_io_end(begun, (long)result);                                \
    after;                                                         \
    return result

#define READY(type, name, params, args, waits, before, after)           \
    HD_EXPORT type name params                                          \
    {                                                                   \
        before;                                                         \
        ON_READY(type, fd, POLLIN, waits, HD_REAL(name) args, after);   \
    }

/* A write for which there is not enough room would block.  So it is made in pieces.  Each piece is
 * an operation of its own, because other threads may read and write in between. */
struct output {
    int fd;
    bool sends; /* for a socket: use sendmsg with flags */
    bool waits;
    int flags;
    const struct msghdr *m;
    size_t done;
};

/* Returns the rest of the buffer in which byte `skip` of the message lies, from that byte on.
 * Returns an empty one at the end of the message. */
static struct iovec rest_of(const struct msghdr *m, size_t skip)
{
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        const struct iovec *v = &m->msg_iov[i];

        if (skip < v->iov_len)
            return (struct iovec){ (char *)v->iov_base + skip, v->iov_len - skip };
        skip -= v->iov_len;
    }
    return (struct iovec){ NULL, 0 };
}

/* Writes the next piece without blocking.  The first attempt is the whole message.  Returns the
 * result of the kernel. */
static long write_piece(const struct output *o)
{
    struct iovec rest = rest_of(o->m, o->done);
    struct msghdr later = { .msg_iov = &rest, .msg_iovlen = 1 };
    const struct msghdr *m = o->done == 0 ? o->m : &later;

    if (o->sends)
        return hd_sys(SYS_sendmsg, o->fd, m, o->flags | MSG_DONTWAIT);
    long mode = hd_sys(SYS_fcntl, o->fd, F_GETFL, 0);

    hd_sys(SYS_fcntl, o->fd, F_SETFL, mode | O_NONBLOCK);
    long n = hd_sys(SYS_writev, o->fd, m->msg_iov, m->msg_iovlen);

    hd_sys(SYS_fcntl, o->fd, F_SETFL, mode);
    return n;
}

/* A write to an eventfd adds the value to its counter. */
static void note_addend(const struct output *o)
{
    const struct iovec *v = o->m->msg_iov;
    uint64_t addend;

    if (o->m->msg_iovlen != 1 || v->iov_len != sizeof addend)
        return;
    hd_mem_copy(&addend, v->iov_base, sizeof addend);
    hd_channel_adds(addend);
}

static ssize_t write_all(struct output *o, uint64_t pc)
{
    long n;

    o->waits = (o->flags & MSG_DONTWAIT) == 0 &&
               (hd_sys(SYS_fcntl, o->fd, F_GETFL, 0) & O_NONBLOCK) == 0;
    do {
        bool ended;

        hd_io_begin_ends(o->fd, POLLOUT, o->waits, &ended, pc);
        n = -EINTR;
        if (ended)
            break;
        while ((n = write_piece(o)) == -EAGAIN && o->waits) { /* there is room, but not enough */
            hd_io_retry(pc);
            hd_io_attempt(pc);
            hd_channel_at(o->fd);
        }
        if (n > 0)
            note_addend(o);
        hd_io_end(true, n);
        o->done += n > 0 ? (size_t)n : 0;
    } while (n > 0 && o->waits && rest_of(o->m, o->done).iov_len != 0);
    if (n >= 0 || o->done != 0)
        return (ssize_t)o->done;
    errno = (int)-n;
    return -1;
}

static bool goes_to_thread(int fd)
{
    return hd.cur != NULL && hd_files_is_pipe(fd);
}

HD_EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
    struct iovec v = { (void *)(uintptr_t)buf, n };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
    struct output o = { .fd = fd, .m = &m };

    hd_range_of_call(buf, n, false, HD_PC);
    if (goes_to_thread(fd))
        return write_all(&o, HD_PC);
    ON_READY(ssize_t, fd, POLLOUT, fd > STDERR_FILENO, HD_REAL(write)(fd, buf, n), (void)0);
}

HD_EXPORT ssize_t writev(int fd, const struct iovec *v, int n)
{
    struct msghdr m = { .msg_iov = (struct iovec *)(uintptr_t)v, .msg_iovlen = (size_t)n };
    struct output o = { .fd = fd, .m = &m };

    hd_io_vector_accessed(v, n, SSIZE_MAX, false, HD_PC);
    if (n >= 0 && goes_to_thread(fd))
        return write_all(&o, HD_PC);
    ON_READY(ssize_t, fd, POLLOUT, false, HD_REAL(writev)(fd, v, n), (void)0);
}

/* Closes a descriptor.  Closing commutes with closing other descriptors, but not with an operation that takes a
 * free number. */
static int close_file(int fd, uint64_t pc)
{
    struct hd_obj *position = hd_files_position(fd);
    bool begun = hd_state_begin(HD_EV_STATE_UPDATE, HD_STATE_DESCRIPTORS, pc);
    int result = HD_REAL(close)(fd);

    hd_shared_end(begun, false);
    hd_shared_also(begun, position, true, pc);
    hd_files_flow(begun && hd_files_are_watched(), HD_FLOW_TELLS, pc);
    hd_files_closed(fd);
    return result;
}

/* Makes the release of file locks an operation, so that a thread that waits for the lock tries again (channel.h,
 * C4). */
static void give_locks_back(uint64_t pc)
{
    hd_io_attempt(pc);
    hd_io_end(true, 0);
}

HD_EXPORT int close(int fd)
{
    hd_cancel_point();
    hd_io_descriptor();
    if (hd_io_files_are_locked() && hd_shared_may_conflict())
        give_locks_back(HD_PC);
    if (hd.cur != NULL && !hd_files_is_pipe(fd))
        return close_file(fd, HD_PC);
    bool begun = hd_io_begin(fd, 0, false, HD_PC);
    int result = HD_REAL(close)(fd);

    hd_io_end(begun, result);
    hd_state_also(begun, HD_STATE_DESCRIPTORS, true, HD_PC);
    hd_files_closed(fd);
    return result;
}

/* ---- sockets ---------------------------------------------------------------------------- */

static void message_writes(struct msghdr *m)
{
    if (hd.cur == NULL)
        return;
    hd_io_writes(m, sizeof *m);
    hd_io_writes(m->msg_name, m->msg_namelen);
    hd_io_writes(m->msg_control, m->msg_controllen);
    hd_io_vector_writes(m->msg_iov, (int)m->msg_iovlen);
}

/* With MSG_TRUNC a call returns the length of the message, which may be larger than the buffer. */
static ssize_t received_in(size_t room, ssize_t result)
{
    return result > 0 && (size_t)result > room ? (ssize_t)room : result;
}

static void message_wrote(const struct msghdr *m, ssize_t bytes, uint64_t pc)
{
    hd_io_vector_accessed(m->msg_iov, (int)m->msg_iovlen, bytes, true, pc);
}

static void message_read(const struct msghdr *m, uint64_t pc)
{
    hd_io_vector_accessed(m->msg_iov, (int)m->msg_iovlen, SSIZE_MAX, false, pc);
}

/* Registers the descriptors that came with a message.  Returns n. */
static ssize_t received(struct msghdr *m, ssize_t n)
{
    if (hd.cur == NULL || n < 0)
        return n;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
            int fd;

            hd_mem_copy(&fd, CMSG_DATA(c) + at, sizeof fd);
            hd_channel_received(fd);
        }
    }
    return n;
}

/* True if the call waits until the whole buffer is full (MSG_WAITALL).  The kernel would block all
 * fibers until then. */
static bool collects(int fd, int flags)
{
    int type = 0;
    socklen_t n = sizeof type;

    return hd.cur != NULL && (flags & (MSG_WAITALL | MSG_DONTWAIT | MSG_PEEK)) == MSG_WAITALL &&
           hd_files_is_pipe(fd) && (hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) == 0 &&
           hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&n, 0) == 0 &&
           type == SOCK_STREAM;
}

/* Receives the message in pieces.  Each piece is an operation of its own.  A message with
 * descriptors ends the loop. */
static ssize_t receive_all(int fd, struct msghdr *m, int flags, uint64_t pc)
{
    size_t done = 0;
    ssize_t n;

    do {
        struct iovec rest = rest_of(m, done);
        struct msghdr later = { .msg_iov = &rest, .msg_iovlen = 1 };
        struct msghdr *piece = done == 0 ? m : &later;
        bool ended, begun = hd_io_begin_ends(fd, POLLIN, true, &ended, pc);

        n = -1;
        if (ended)
            break;
        n = received(piece, HD_REAL(recvmsg)(fd, piece, flags & ~MSG_WAITALL));
        hd_io_end(begun, n);
        message_wrote(piece, n, pc);
        done += n > 0 ? (size_t)n : 0;
    } while (n > 0 && m->msg_controllen == 0 && rest_of(m, done).iov_len != 0);
    return done != 0 ? (ssize_t)done : n;
}

static ssize_t receive_buffer(int fd, void *buf, size_t n, int flags, uint64_t pc)
{
    struct iovec v = { buf, n };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

    return receive_all(fd, &m, flags, pc);
}

HD_EXPORT ssize_t recv(int fd, void *buf, size_t n, int flags)
{
    hd_io_writes(buf, n);
    if (collects(fd, flags))
        return receive_buffer(fd, buf, n, flags, HD_PC);
    ON_READY(ssize_t, fd, POLLIN, (flags & MSG_DONTWAIT) == 0, HD_REAL(recv)(fd, buf, n, flags),
             hd_io_wrote(buf, received_in(n, result), HD_PC));
}

HD_EXPORT ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags)
{
    hd_io_writes(buf, n);
    if (n <= room && collects(fd, flags))
        return receive_buffer(fd, buf, n, flags, HD_PC);
    ON_READY(ssize_t, fd, POLLIN, (flags & MSG_DONTWAIT) == 0,
             HD_REAL(__recv_chk)(fd, buf, n, room, flags),
             hd_io_wrote(buf, received_in(n, result), HD_PC));
}

HD_EXPORT ssize_t recvfrom(int fd, void *buf, size_t n, int flags, __SOCKADDR_ARG from,
                           socklen_t *len)
{
    hd_io_writes(buf, n);
    hd_io_writes_address(from.__sockaddr__, len);
    if (from.__sockaddr__ == NULL && collects(fd, flags)) /* a stream socket returns no address */
        return receive_buffer(fd, buf, n, flags, HD_PC);
    ON_READY(ssize_t, fd, POLLIN, (flags & MSG_DONTWAIT) == 0,
             HD_REAL(recvfrom)(fd, buf, n, flags, from, len),
             hd_io_wrote(buf, received_in(n, result), HD_PC));
}

HD_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    message_writes(m);
    if (collects(fd, flags))
        return receive_all(fd, m, flags, HD_PC);
    ON_READY(ssize_t, fd, POLLIN, (flags & MSG_DONTWAIT) == 0,
             received(m, HD_REAL(recvmsg)(fd, m, flags)), message_wrote(m, result, HD_PC));
}

static int all_received(struct mmsghdr *list, int n)
{
    for (int i = 0; i < n; i++)
        received(&list[i].msg_hdr, list[i].msg_len);
    return n;
}

static void all_wrote(const struct mmsghdr *list, int n, uint64_t pc)
{
    for (int i = 0; i < n; i++)
        message_wrote(&list[i].msg_hdr, list[i].msg_len, pc);
}

/* A controlled thread waits only for the first message, not for all: the kernel would block although other threads
 * could send. */
HD_EXPORT int recvmmsg(int fd, struct mmsghdr *list, unsigned n, int flags, struct timespec *limit)
{
    bool waits = (flags & MSG_DONTWAIT) == 0;

    for (unsigned i = 0; hd.cur != NULL && i < n; i++) {
        hd_io_writes(&list[i], sizeof list[i]);
        message_writes(&list[i].msg_hdr);
    }
    if (hd.cur != NULL)
        flags |= MSG_WAITFORONE;
    ON_READY(int, fd, POLLIN, waits,
             all_received(list, HD_REAL(recvmmsg)(fd, list, n, flags, limit)), all_wrote(list, result, HD_PC));
}

static ssize_t send_all(int fd, const struct msghdr *m, int flags, uint64_t pc)
{
    struct output o = { .fd = fd, .sends = true, .flags = flags, .m = m };

    return write_all(&o, pc);
}

HD_EXPORT ssize_t send(int fd, const void *buf, size_t n, int flags)
{
    struct iovec v = { (void *)(uintptr_t)buf, n };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

    message_read(&m, HD_PC);
    if (goes_to_thread(fd))
        return send_all(fd, &m, flags, HD_PC);
    return HD_REAL(send)(fd, buf, n, flags);
}

HD_EXPORT ssize_t sendto(int fd, const void *buf, size_t n, int flags, __CONST_SOCKADDR_ARG to,
                         socklen_t len)
{
    struct iovec v = { (void *)(uintptr_t)buf, n };
    struct msghdr m = { .msg_name = (void *)(uintptr_t)to.__sockaddr__, .msg_namelen = len,
                        .msg_iov = &v, .msg_iovlen = 1 };

    message_read(&m, HD_PC);
    if (goes_to_thread(fd))
        return send_all(fd, &m, flags, HD_PC);
    return HD_REAL(sendto)(fd, buf, n, flags, to, len);
}

/* If the receiver is another process, it may get descriptors with the message. */
HD_EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    if (hd.cur != NULL && m->msg_controllen != 0 && !hd_files_is_inner(fd))
        hd_io_forked();
    message_read(m, HD_PC);
    if (goes_to_thread(fd))
        return send_all(fd, m, flags, HD_PC);
    return HD_REAL(sendmsg)(fd, m, flags);
}

/* A thread that reads at this end notices the shutdown, too. */
HD_EXPORT int shutdown(int fd, int how)
{
    bool begun = hd_io_begin(fd, 0, false, HD_PC);
    int result = HD_REAL(shutdown)(fd, how);

    if (begun && result == 0)
        hd_channel_shut();
    hd_io_end(begun, result);
    return result;
}

#define CALLS_IO
#include "runtime/calls/calls.def"
