/* SPDX-License-Identifier: BSD-2-Clause
 *
 * socket.c - sockets with addresses.  Connections of the program to itself remain inside the
 * program (loopback.h).  All others are uncontrolled. */
#include <netinet/in.h>
#include <poll.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/loopback.h"
#include "runtime/restore/process.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/compiler.h"

enum { BACKLOG = 4096 }; /* never full, because connect does not wait for room with TCP */

static HD_COLD void network(void)
{
    hd_changes.io = 1;
    hd_uncontrolled("sockets: data from other processes is not controlled");
    hd_needs_fork("it uses sockets");
}

static int answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

/* True for TCP: at this moment it is not known whether the connection will leave the program. */
static bool may_stay_inside(int domain, int type)
{
    return (domain == AF_INET || domain == AF_INET6) &&
           (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM;
}

static int model_socket(int domain, int type, int protocol, uint64_t pc)
{
    if (!may_stay_inside(domain, type))
        network();
    hd_io_descriptor();
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, pc);
    int fd = HD_REAL(socket)(domain, type, protocol);

    hd_shared_end(begun, fd < 0);
    hd_files_opened(fd);
    return fd;
}

/* A Unix socket that is bound to a path creates a file.  Makes the undo entry for it. */
static void undo_name(const struct sockaddr *a, socklen_t n)
{
    char path[sizeof((struct sockaddr_un *)NULL)->sun_path + 1];
    const struct sockaddr_un *u = (const struct sockaddr_un *)(const void *)a;
    size_t head = offsetof(struct sockaddr_un, sun_path), length = 0;

    if (a == NULL || n <= head || a->sa_family != AF_UNIX || u->sun_path[0] == '\0')
        return;
    for (; length < n - head && length < sizeof u->sun_path && u->sun_path[length] != '\0'; length++)
        path[length] = u->sun_path[length];
    path[length] = '\0';
    hd_undo_name(AT_FDCWD, path);
}

static int model_bind(int fd, __CONST_SOCKADDR_ARG a, socklen_t n, uint64_t pc)
{
    hd_io_attempt(pc);
    bool inside = hd_loopback_reaches(fd, a.__sockaddr__, n);
    int result;

    if (inside) {
        result = answer(hd_loopback_bind(fd, a.__sockaddr__));
        hd_files_set_inner(fd, result == 0);
    } else {
        network();
        undo_name(a.__sockaddr__, n);
        result = HD_REAL(bind)(fd, a, n);
    }
    hd_io_end(true, result);
    return result;
}

static int model_listen(int fd, int backlog, uint64_t pc)
{
    hd_io_attempt(pc);
    bool inside = hd_loopback_has(fd);
    int result = HD_REAL(listen)(fd, inside ? BACKLOG : backlog);

    if (inside && result == 0)
        hd_channel_listens(fd);
    hd_io_end(true, result);
    return result;
}

/* The backlog is larger than the number of descriptors, so a connection never has to wait. */
static int connect_inside(int fd, const struct sockaddr *a)
{
    long result = hd_loopback_connect(fd, a);

    hd_files_set_inner(fd, hd_loopback_has(fd));
    if (result == 0)
        hd_channel_connected(fd);
    if (result == -ECONNREFUSED)
        hd_mentioned("nobody else listens on this machine: a connection to it was refused");
    return answer(result);
}

static int model_connect(int fd, __CONST_SOCKADDR_ARG a, socklen_t n, uint64_t pc)
{
    hd_cancel_point();
    hd_io_attempt(pc);
    bool inside = hd_loopback_reaches(fd, a.__sockaddr__, n);

    if (!inside)
        network();
    int result = inside ? connect_inside(fd, a.__sockaddr__) : HD_REAL(connect)(fd, a, n);

    hd_io_end(true, result);
    return result;
}

/* Registers fd, a connection that listener has accepted. */
static void accepted(int listener, int fd, struct sockaddr *from, socklen_t *len, socklen_t room)
{
    hd_files_opened(fd);
    if (!hd_loopback_has(listener))
        return;
    hd_files_set_inner(fd, true);
    if (len != NULL)
        *len = room; /* the kernel has overwritten it with the length of its own name */
    hd_loopback_address(fd, true, from, len);
    hd_channel_accepted(fd);
}

/* Notes that a call has written a socket address, of at most `room` bytes, and its length. */
static void note_address(const struct sockaddr *a, const socklen_t *len, socklen_t room, uint64_t pc)
{
    if (a == NULL || len == NULL)
        return;
    hd_range_of_call(a, *len < room ? *len : room, true, pc);
    hd_range_of_call(len, sizeof *len, true, pc);
}

static int accept_one(int fd, struct sockaddr *from, socklen_t *len, int flags, uint64_t pc)
{
    socklen_t room = len != NULL ? *len : 0;

    hd_io_writes_address(from, len);
    hd_io_descriptor();
    bool ended, begun = hd_io_begin_ends(fd, POLLIN, true, &ended, pc);

    if (ended)
        return -1;
    int result = answer(hd_sys6(SYS_accept4, fd, (long)from, (long)len, flags, 0, 0));

    if (result >= 0 && hd.cur != NULL)
        accepted(fd, result, from, len, room);
    hd_io_end(begun, result);
    hd_state_also(begun, HD_STATE_DESCRIPTORS, true, pc);
    if (result >= 0)
        note_address(from, len, room, pc);
    return result;
}

#define NAMES_END(name, peer)                                                                    \
    HD_EXPORT int name(int fd, __SOCKADDR_ARG a, socklen_t *len)                                 \
    {                                                                                            \
        socklen_t room = len != NULL ? *len : 0;                                                 \
                                                                                                 \
        hd_io_writes_address(a.__sockaddr__, len);                                               \
        bool modelled = hd.cur != NULL && hd_loopback_address(fd, peer, a.__sockaddr__, len);    \
                                                                                                 \
        return NOTED(modelled ? 0 : HD_REAL(name)(fd, a, len),                                   \
                     note_address(result == 0 ? a.__sockaddr__ : NULL, len, room, pc));          \
    }
NAMES_END(getsockname, false)
NAMES_END(getpeername, true)

/* True for options of a protocol that the model replaces.  Setting them succeeds without effect,
 * and reading them returns 0. */
static bool is_moot(int fd, int level)
{
    return hd.cur != NULL && level != SOL_SOCKET && hd_loopback_has(fd);
}

HD_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t len)
{
    if (level == SOL_SOCKET && (option == SO_SNDBUF || option == SO_RCVBUF))
        hd_channel_narrow(fd);
    if (hd.cur != NULL && level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
        hd_uncontrolled("a time limit of a socket (SO_RCVTIMEO, SO_SNDTIMEO): it never passes");
    hd_range_of_call(value, len, false, HD_PC);
    return is_moot(fd, level) ? 0 : HD_REAL(setsockopt)(fd, level, option, value, len);
}

HD_EXPORT int getsockopt(int fd, int level, int option, void *value, socklen_t *len)
{
    if (hd.cur != NULL && len != NULL) {
        hd_io_writes(value, *len);
        hd_io_writes(len, sizeof *len);
    }
    if (!is_moot(fd, level))
        return NOTED(HD_REAL(getsockopt)(fd, level, option, value, len),
                     hd_range_of_call(value, result == 0 ? *len : 0, true, pc));
    for (socklen_t i = 0; i < *len; i++)
        ((char *)value)[i] = 0;
    return 0;
}

#define CALLS_SOCKET
#include "runtime/calls/calls.def"
