/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transfer.c - calls that move bytes from one descriptor to another, send several messages, or
 * query what is in a pipe or socket.  Each is a visible operation if one of its descriptors is a
 * pipe or socket: a thread that reads at the other end waits for it and synchronises with the
 * caller.  If both descriptors are used, the runtime cannot know which of the two channels
 * synchronises.  So calls that move bytes are ordered with all others (channel.h, C4).  Ordinary
 * files that such a call uses are shared state (files.h). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/sys/compiler.h"

#define SMALL_REQUEST 128

/* ---- moving bytes ----------------------------------------------------------------------- */

/* A call that moves bytes.  `in` or `out` is -1 if that side is the target's memory or does not exist. */
struct move {
    int in, out;
    bool waits;
    long call, args[6];
    bool in_place, out_place; /* the call names an offset in that file, and the position of the file does not change */
};

static bool is_met_at(int fd)
{
    return fd >= 0 && hd_files_is_pipe(fd);
}

static bool both_are_ready(const void *what)
{
    const struct move *m = what;

    return (!is_met_at(m->in) || hd_io_is_ready(m->in, POLLIN)) &&
           (!is_met_at(m->out) || hd_io_is_ready(m->out, POLLOUT));
}

static bool both_are_inner(const void *what)
{
    const struct move *m = what;

    return (!is_met_at(m->in) || hd_files_is_inner(m->in)) &&
           (!is_met_at(m->out) || hd_files_is_inner(m->out));
}

static bool never_waits(int fd)
{
    return fd >= 0 && (hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) != 0;
}

static void announce(const struct move *m, uint64_t pc)
{
    struct hd_io_wait wait = { both_are_ready, both_are_inner, m, 0 };

    if (m->waits && both_are_inner(m))
        hd_io_await(&wait, pc);
    else
        hd_io_attempt(pc);
}

static long mode_of(int fd)
{
    return is_met_at(fd) ? hd_sys(SYS_fcntl, fd, F_GETFL, 0) : -1;
}

static void set_mode(int fd, long mode)
{
    if (mode >= 0)
        hd_sys(SYS_fcntl, fd, F_SETFL, mode);
}

/* Makes the call without blocking, because blocking would stop all fibers.  So it may move a part
 * where a blocking call would have moved everything.  These calls may do so at any time. */
static long move_now(const struct move *m)
{
    long in = mode_of(m->in), out = mode_of(m->out);

    set_mode(m->in, in >= 0 ? in | O_NONBLOCK : in);
    set_mode(m->out, out >= 0 ? out | O_NONBLOCK : out);
    long n = hd_sys6(m->call, m->args[0], m->args[1], m->args[2], m->args[3], m->args[4], m->args[5]);

    set_mode(m->in, in);
    set_mode(m->out, out);
    return n;
}

/* Records that the operation has also used these ordinary files. */
static void use_files(const struct move *m, bool begun, bool good, uint64_t pc)
{
    if (m->out >= 0 && !is_met_at(m->out)) {
        hd_shared_also(begun, hd_files_contents(m->out), true, pc);
        hd_shared_also(begun, m->out_place ? NULL : hd_files_position(m->out), true, pc);
        hd_files_contents_flow(begun && good, hd_files_contents(m->out), true, pc);
    }
    if (m->in >= 0 && !is_met_at(m->in)) {
        hd_shared_also(begun, hd_files_contents(m->in), false, pc);
        hd_shared_also(begun, m->in_place ? NULL : hd_files_position(m->in), true, pc);
        hd_files_contents_flow(begun && good, hd_files_contents(m->in), false, pc);
    }
}

static ssize_t result_of(long n)
{
    if (n >= 0)
        return n;
    errno = (int)-n;
    return -1;
}

/* Moves bytes between two ordinary files, which never waits. */
static ssize_t copy(const struct move *m, uint64_t pc)
{
    bool begun = hd_files_contents_begin(HD_EV_STATE_WRITE, m->out, pc) ||
                 hd_files_contents_begin(HD_EV_STATE_READ, m->in, pc);
    long n = hd_sys6(m->call, m->args[0], m->args[1], m->args[2], m->args[3], m->args[4], m->args[5]);

    hd_shared_end(begun, n < 0);
    use_files(m, begun, n >= 0, pc);
    return result_of(n);
}

static ssize_t move(struct move *m, uint64_t pc)
{
    long n;

    m->waits = m->waits && !never_waits(m->in) && !never_waits(m->out);
    announce(m, pc);
    while ((n = move_now(m)) == -EAGAIN && m->waits) {
        hd_io_retry(pc);
        announce(m, pc);
    }
    hd_io_end(true, n);
    use_files(m, true, n >= 0, pc);
    return result_of(n);
}

static bool is_move(int in, int out)
{
    return hd.cur != NULL && (is_met_at(in) || is_met_at(out));
}

/* Notes that a call has advanced the positions in two files. */
static void note_places(const off64_t *in, const off64_t *out, ssize_t result, uint64_t pc)
{
    hd_range_of_call(in, result >= 0 ? sizeof *in : 0, true, pc);
    hd_range_of_call(out, result >= 0 ? sizeof *out : 0, true, pc);
}

HD_EXPORT ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned flags)
{
    struct move m = { in, out, (flags & SPLICE_F_NONBLOCK) == 0, SYS_splice,
                      { in, (long)in_at, out, (long)out_at, (long)n, flags | SPLICE_F_NONBLOCK },
                      in_at != NULL, out_at != NULL };

    if (!is_move(in, out))
        return HD_REAL(splice)(in, in_at, out, out_at, n, flags);
    hd_io_writes(in_at, sizeof *in_at);
    hd_io_writes(out_at, sizeof *out_at);
    return NOTED(move(&m, HD_PC), note_places(in_at, out_at, result, pc));
}

HD_EXPORT ssize_t tee(int in, int out, size_t n, unsigned flags)
{
    struct move m = { in, out, (flags & SPLICE_F_NONBLOCK) == 0, SYS_tee,
                      { in, out, (long)n, flags | SPLICE_F_NONBLOCK }, false, false };

    return is_move(in, out) ? move(&m, HD_PC) : HD_REAL(tee)(in, out, n, flags);
}

/* Writes to a pipe, or reads from it if fd is the read end. */
HD_EXPORT ssize_t vmsplice(int fd, const struct iovec *v, size_t n, unsigned flags)
{
    bool reads = (hd_sys(SYS_fcntl, fd, F_GETFL, 0) & O_ACCMODE) == O_RDONLY;
    struct move m = { reads ? fd : -1, reads ? -1 : fd, (flags & SPLICE_F_NONBLOCK) == 0, SYS_vmsplice,
                      { fd, (long)v, (long)n, flags | SPLICE_F_NONBLOCK }, false, false };

    for (size_t i = 0; reads && i < n; i++)
        hd_io_writes(v[i].iov_base, v[i].iov_len);
    return is_move(m.in, m.out) ? move(&m, HD_PC) : HD_REAL(vmsplice)(fd, v, n, flags);
}

/* off_t and off64_t are the same type here. */
#define SENDFILE(name, type)                                                                    \
    HD_EXPORT ssize_t name(int out, int in, type *at, size_t n)                                 \
    {                                                                                           \
        struct move m = { in, out, true, SYS_sendfile, { out, in, (long)at, (long)n, 0, 0 },    \
                          at != NULL, false };                                                  \
                                                                                                \
        if (hd.cur == NULL)                                                                     \
            return HD_REAL(name)(out, in, at, n);                                               \
        hd_io_writes(at, sizeof *at);                                                           \
        return NOTED(is_move(in, out) ? move(&m, HD_PC) : copy(&m, HD_PC),                      \
                     hd_range_of_call(at, result >= 0 ? sizeof *at : 0, true, pc));                 \
    }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

HD_EXPORT ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned flags)
{
    struct move m = { in, out, false, SYS_copy_file_range, { in, (long)in_at, out, (long)out_at, (long)n, flags },
                      in_at != NULL, out_at != NULL };

    if (hd.cur == NULL)
        return HD_REAL(copy_file_range)(in, in_at, out, out_at, n, flags);
    hd_io_writes(in_at, sizeof *in_at);
    hd_io_writes(out_at, sizeof *out_at);
    return NOTED(copy(&m, HD_PC), note_places(in_at, out_at, result, pc));
}

/* Sends the messages one after the other.  Each is an operation of its own. */
HD_EXPORT int sendmmsg(int fd, struct mmsghdr *list, unsigned n, int flags)
{
    unsigned sent = 0;

    if (!is_move(-1, fd))
        return HD_REAL(sendmmsg)(fd, list, n, flags);
    hd_act_for(HD_PC);
    while (sent < n) {
        ssize_t size = sendmsg(fd, &list[sent].msg_hdr, flags);

        if (size < 0)
            break;
        list[sent++].msg_len = (unsigned)size;
    }
    hd_act_for(0);
    return sent > 0 || n == 0 ? (int)sent : -1;
}

/* ---- queries ---------------------------------------------------------------------------- */

/* True for requests about the descriptor itself or a terminal: they carry no information between
 * threads. */
static bool is_setting(unsigned long request)
{
    switch (request) {
    case FIONBIO:
    case FIOASYNC:
    case FIOCLEX:
    case FIONCLEX:
    case TCGETS:
    case TIOCGWINSZ:
        return true;
    default:
        return false;
    }
}

/* A query of the number of bytes in a channel.  It changes nothing, but synchronises with earlier
 * writes and reads. */
static int count(int fd, unsigned long request, int *n, uint64_t pc)
{
    hd_io_attempt(pc);
    int result = HD_REAL(ioctl)(fd, request, n);

    hd_channel_nothing();
    if (result == 0)
        hd_channel_counted(fd);
    hd_channel_flow(result == 0 ? (uint64_t)(unsigned)*n : 0, HD_EVF_FAILED);
    hd_range_of_call(n, result == 0 ? sizeof *n : 0, true, pc);
    return result;
}

/* The buffer size is known for requests that encode it.  The old requests of terminals and sockets
 * are small. */
HD_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list ap;

    va_start(ap, request);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    hd_io_writes(arg, _IOC_SIZE(request) != 0 ? _IOC_SIZE(request) : SMALL_REQUEST);
    if (hd.cur == NULL || is_setting(request) || !is_met_at(fd))
        return HD_REAL(ioctl)(fd, request, arg);
    if (request == FIONREAD || request == TIOCOUTQ)
        return count(fd, request, arg, HD_PC);
    hd_io_attempt(HD_PC);
    int result = HD_REAL(ioctl)(fd, request, arg);

    hd_io_end(true, result);
    return result;
}

#define CALLS_TRANSFER
#include "runtime/calls/calls.def"
