/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loopback.c - see loopback.h. */

#include "runtime/kernel/loopback.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"

enum {
    FIRST_EPHEMERAL = 49152,
    LAST_PORT = 65535
};

#define PREFIX "heddle-"

/* ---- addresses and names ---------------------------------------------------------- */

struct name {
    struct sockaddr_un un;
    socklen_t n;
};

static int keeper; /* process of hd_loopback_keep_names; 0: none */

void hd_loopback_keep_names(void)
{
    keeper = (int)hd_sys(SYS_getpid, 0, 0, 0);
}

/* The name contains the process id, so that each worker has ports of its own. */
static struct name name_of(int family, unsigned port)
{
    struct name name = { .un = { .sun_family = AF_UNIX } };
    size_t n = hd_format(name.un.sun_path + 1, sizeof name.un.sun_path - 1, PREFIX "%d-%d-%u",
                         keeper != 0 ? keeper : (int)hd_sys(SYS_getpid, 0, 0, 0), family == AF_INET ? 4 : 6, port);

    name.n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
    return name;
}

static const char *number_after(const char *at, const char *end, unsigned *number)
{
    *number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (unsigned)(*at - '0');
    return at < end ? at + 1 : end; /* skips the dash that follows the number */
}

/* Returns false if loopback.c has not made the name. */
static bool parse(const struct name *name, int *family, unsigned *port)
{
    const char *at = name->un.sun_path + 1, *end = (const char *)&name->un + name->n;
    unsigned pid, version;

    if (name->un.sun_family != AF_UNIX || end - at < (ptrdiff_t)sizeof PREFIX ||
        !hd_mem_equal(at, PREFIX, sizeof PREFIX - 1))
        return false;
    at = number_after(at + sizeof PREFIX - 1, end, &pid);
    at = number_after(at, end, &version);
    number_after(at, end, port);
    *family = version == 4 ? AF_INET : AF_INET6;
    return true;
}

static bool name_at(int fd, bool peer, struct name *name)
{
    name->n = sizeof name->un;
    return hd_sys(peer ? SYS_getpeername : SYS_getsockname, fd, &name->un, &name->n) == 0;
}

bool hd_loopback_has(int fd)
{
    struct name name;
    unsigned port;
    int family;

    return name_at(fd, false, &name) && parse(&name, &family, &port);
}

bool hd_loopback_address(int fd, bool peer, struct sockaddr *a, socklen_t *n)
{
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    struct name name;
    unsigned port;
    int family;

    if (!name_at(fd, peer, &name) || !parse(&name, &family, &port))
        return false;
    in.sin_port = in6.sin6_port = htons((uint16_t)port);
    socklen_t size = family == AF_INET ? sizeof in : sizeof in6;

    if (a != NULL && n != NULL) {
        hd_mem_copy(a, family == AF_INET ? (void *)&in : (void *)&in6, *n < size ? *n : size);
        *n = size;
    }
    return true;
}

static unsigned port_of(const struct sockaddr *a)
{
    /* at the same offset in both families */
    return ntohs(((const struct sockaddr_in *)(const void *)a)->sin_port);
}

/* The loopback address or the wildcard address: connecting to the latter reaches this machine. */
static bool is_inside(const struct sockaddr *a)
{
    const struct sockaddr_in *in = (const void *)a;
    const struct sockaddr_in6 *in6 = (const void *)a;

    if (a->sa_family == AF_INET)
        return ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET ||
               in->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr) && in6->sin6_addr.s6_addr[12] == IN_LOOPBACKNET);
}

/* ---- the calls -------------------------------------------------------------------- */

static long option(int fd, int which)
{
    int value = -1;
    socklen_t n = sizeof value;

    return hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, which, (long)&value, (long)&n, 0) == 0 ? value : -1;
}

bool hd_loopback_reaches(int fd, const struct sockaddr *a, socklen_t n)
{
    bool complete = a != NULL &&
                    ((a->sa_family == AF_INET && n >= sizeof(struct sockaddr_in)) ||
                     (a->sa_family == AF_INET6 && n >= sizeof(struct sockaddr_in6)));

    if (!complete || option(fd, SO_TYPE) != SOCK_STREAM)
        return false;
    if (hd_loopback_has(fd))
        return true; /* the socket is bound, and that cannot be undone */
    return option(fd, SO_DOMAIN) == a->sa_family && is_inside(a);
}

/* Binds fd to the next free port that no bind has asked for explicitly. */
static long bind_ephemeral(int fd, int family)
{
    static uint32_t epoch;
    static unsigned next;
    long result = -EADDRINUSE;

    if (epoch != hd.epoch) {
        epoch = hd.epoch;
        next = FIRST_EPHEMERAL;
    }
    while (result == -EADDRINUSE && next <= LAST_PORT) {
        struct name name = name_of(family, next++);

        result = hd_sys(SYS_bind, fd, &name.un, name.n);
    }
    return result;
}

/* Replaces fd by an AF_UNIX socket for that port (0: any free port), or leaves it as it is on
 * failure.  The new socket keeps the descriptor's flags. */
static long change(int fd, int family, unsigned port)
{
    long mode = hd_sys(SYS_fcntl, fd, F_GETFL, 0), flags = hd_sys(SYS_fcntl, fd, F_GETFD, 0);
    struct name name = name_of(family, port);
    long made = hd_sys(SYS_socket, AF_UNIX,
                       SOCK_STREAM | ((mode & O_NONBLOCK) != 0 ? SOCK_NONBLOCK : 0), 0);

    if (made < 0)
        return made;
    long result = port == 0 ? bind_ephemeral((int)made, family) : hd_sys(SYS_bind, made, &name.un, name.n);

    if (result == 0)
        result = hd_sys(SYS_dup3, made, fd, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    hd_sys(SYS_close, made, 0, 0);
    return result < 0 ? result : 0;
}

long hd_loopback_bind(int fd, const struct sockaddr *a)
{
    return hd_loopback_has(fd) ? -EINVAL : change(fd, a->sa_family, port_of(a));
}

/* Connects to the listener on the port.  An IPv6 listener may accept IPv4 connections. */
static long connect_to(int fd, int family, unsigned port)
{
    struct name name = name_of(family, port);

    return hd_sys(SYS_connect, fd, &name.un, name.n);
}

long hd_loopback_connect(int fd, const struct sockaddr *a)
{
    long result = hd_loopback_has(fd) ? 0 : change(fd, a->sa_family, 0);

    if (result == 0)
        result = connect_to(fd, a->sa_family, port_of(a));
    if (result == -ECONNREFUSED && a->sa_family == AF_INET)
        result = connect_to(fd, AF_INET6, port_of(a));
    return result;
}
