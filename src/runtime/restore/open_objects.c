/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open_objects.c - see open_objects.h. */
#include "runtime/restore/open_objects.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/restore/maps.h"
#include "runtime/restore/process.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

enum { MOST = 256, INFO = 16384, MEMBERS = 256 };

static long read_proc(const char *path, char *to, long cap)
{
    long fd = hd_sys6(SYS_openat, hd_process_proc(), (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0), got, n = 0;

    if (fd < 0)
        return -1;
    while (n < cap && (got = hd_sys(SYS_read, fd, to + n, cap - n)) > 0)
        n += got;
    hd_sys(SYS_close, fd, 0, 0);
    return n == cap ? -1 : n;
}

static short ready(int fd)
{
    struct pollfd p = { fd, POLLIN | POLLPRI | POLLOUT | POLLRDHUP, 0 };

    hd_sys(SYS_poll, &p, 1, 0);
    return p.revents;
}

/* True if there are bytes to read or a connection to accept, or if the other side has ended. */
static bool has_input(int fd)
{
    int bytes = 0;

    return (hd_sys(SYS_ioctl, fd, FIONREAD, &bytes) == 0 && bytes != 0) || (ready(fd) & (POLLIN | POLLPRI)) != 0;
}

static const char unread[] = "pipes or sockets with something to be read";

/* This function and the next ones return NULL if the object can be compared; otherwise they name what cannot be
 * compared. */
static const char *take_socket(int fd, uint64_t *h)
{
    static const int options[] = { SO_TYPE, SO_RCVBUF, SO_SNDBUF, SO_RCVLOWAT, SO_KEEPALIVE, SO_LINGER, SO_PASSCRED,
                                   SO_PASSSEC, SO_RCVTIMEO, SO_SNDTIMEO, SO_ACCEPTCONN, SO_REUSEADDR, SO_PRIORITY };
    int domain = 0;
    unsigned n = sizeof domain;

    hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, (long)&domain, (long)&n, 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        unsigned char value[32] = { 0 };

        n = sizeof value;
        hd_sys6(SYS_getsockopt, fd, SOL_SOCKET, options[i], (long)value, (long)&n, 0);
        *h = hd_hash_bytes(*h, value, sizeof value);
    }
    return domain != AF_UNIX ? "a socket that leads out of the program" : has_input(fd) ? unread : NULL;
}

static bool is(const char *text, const char *begin)
{
    while (*begin != '\0' && *text == *begin)
        text++, begin++;
    return *begin == '\0';
}

/* ---- epoll sets and eventfds ------------------------------------------------------------ */

/* Returns the number after the word and moves *at past it; -1: the word does not occur before `end`. */
static int64_t number_after(const char **at, const char *end, const char *word, unsigned base)
{
    int64_t n = 0;

    for (; *at < end && !is(*at, word); ++*at)
        ;
    for (; *at < end && **at != ' ' && **at != '\t'; ++*at)
        ;
    for (; *at < end && (**at == ' ' || **at == '\t'); ++*at)
        ;
    if (*at == end)
        return -1;
    for (; **at > ' '; ++*at)
        n = n * base + (**at <= '9' ? **at - '0' : **at - 'a' + 10);
    return n;
}

static struct member {
    int set, fd;
    struct epoll_event event;
} members[MEMBERS], now[MEMBERS];
static unsigned nmembers, nnow;

static struct counter {
    int fd;
    uint64_t value;
} counters[MEMBERS];
static unsigned ncounters;
static bool recorded;

/* Lists the members of the epoll set, as the kernel shows them in /proc. */
static const char *list_members(int set, const char *info, long n)
{
    const char *at = info, *end = info + n;
    int64_t fd;

    while ((fd = number_after(&at, end, "tfd:", 10)) >= 0) {
        int64_t events = number_after(&at, end, "events:", 16), data = number_after(&at, end, "data:", 16);

        if (nnow == MEMBERS)
            return "too many members of epoll sets";
        if (events & EPOLLET)
            return "an edge-triggered member of an epoll set";
        now[nnow++] = (struct member){ set, (int)fd, { (uint32_t)events, { .u64 = (uint64_t)data } } };
    }
    return NULL;
}

/* Polls the set once.  That also removes members that are no longer ready from the kernel's ready list, whose
 * order no process can see. */
static const char *take_epoll(int fd, const char *info, long n)
{
    struct epoll_event e;
    const char *obstacle = list_members(fd, info, n);

    if (obstacle == NULL && hd_sys6(SYS_epoll_pwait, fd, (long)&e, 1, 0, 0, 8) != 0)
        obstacle = "an epoll set with a member that is ready";
    return obstacle;
}

static const char *take_counter(int fd, const char *info, long n)
{
    const char *at = info;

    if (recorded)
        return NULL;
    if (ncounters == MEMBERS)
        return "too many descriptors";
    counters[ncounters++] = (struct counter){ fd, (uint64_t)number_after(&at, info + n, "eventfd-count:", 16) };
    return NULL;
}

/* Adds the state of a pipe, socket, epoll set or eventfd to the hash *h.  Returns NULL, or why the descriptors cannot be
 * compared (D2, D3). */
static const char *take_nameless(int fd, const char *name, const char *info, long n, uint64_t *h)
{
    if (is(name, "socket:"))
        return take_socket(fd, h);
    if (is(name, "pipe:")) {
        *h = hd_hash_mix(*h, (uint64_t)hd_sys(SYS_fcntl, fd, F_GETPIPE_SZ, 0));
        return has_input(fd) ? unread : NULL;
    }
    if (is(name, "anon_inode:[eventpoll]"))
        return take_epoll(fd, info, n);
    return is(name, "anon_inode:[eventfd]") ? take_counter(fd, info, n) : "a timer, or another object behind a descriptor";
}

static const char *take_descriptor(int fd, uint64_t *h)
{
    static char info[INFO];
    char path[48], name[64] = { 0 };
    struct stat st = { 0 };

    hd_format(path, sizeof path, "self/fdinfo/%d", fd);
    long n = read_proc(path, info, INFO);

    hd_format(path, sizeof path, "self/fd/%d", fd);
    hd_sys6(SYS_readlinkat, hd_process_proc(), (long)path, (long)name, sizeof name - 1, 0, 0);
    if (n < 0 || hd_sys(SYS_fstat, fd, &st, 0) != 0)
        return "descriptors that /proc does not describe";
    const char *obstacle = name[0] == '/' ? NULL : take_nameless(fd, name, info, n, h);

    *h = hd_hash_bytes(hd_hash_mix(*h, (uint64_t)fd), info, (size_t)n);
    *h = hd_hash_mix(hd_hash_mix(*h, st.st_dev), st.st_ino);
    *h = hd_hash_mix(*h, (uint64_t)ready(fd));
    return obstacle;
}

const char *hd_open_objects_take(uint64_t *hash)
{
    static int fds[MOST];
    unsigned n = hd_process_descriptors(fds, MOST);
    const char *obstacle = n < MOST && hd_process_proc() >= 0 ? NULL : "too many descriptors";

    *hash = n;
    nnow = 0;
    for (unsigned i = 0; i < n && obstacle == NULL; i++)
        if (!hd_process_is_inherited(fds[i]) && hd_process_is_targets(fds[i]))
            obstacle = take_descriptor(fds[i], hash);
    if (obstacle == NULL && !recorded) {
        hd_mem_copy(members, now, sizeof now);
        nmembers = nnow;
        recorded = true;
    }
    return obstacle;
}

/* ---- restoring ---------------------------------------------------------------------------- */

static const struct member *find(const struct member *list, unsigned n, const struct member *m)
{
    for (unsigned i = 0; i < n; i++)
        if (list[i].set == m->set && list[i].fd == m->fd)
            return &list[i];
    return NULL;
}

/* Restores the members.  Those that an execution has added are gone with its descriptors. */
static void settle_members(void)
{
    for (unsigned i = 0; i < nmembers; i++) {
        struct member m = members[i];
        const struct member *is_now = find(now, nnow, &m);
        int how = is_now == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

        if (is_now == NULL || is_now->event.events != m.event.events || is_now->event.data.u64 != m.event.data.u64)
            hd_sys6(SYS_epoll_ctl, m.set, how, m.fd, (long)&m.event, 0, 0);
    }
}

static void settle_counter(const struct counter *c)
{
    uint64_t value;

    while (ready(c->fd) & POLLIN)
        if (hd_sys(SYS_read, c->fd, &value, sizeof value) != sizeof value)
            break;
    if (c->value != 0)
        hd_sys(SYS_write, c->fd, &c->value, sizeof c->value);
}

/* Reads only what is available, so it never blocks. */
static void drain(int fd)
{
    static char piece[4096];
    int bytes = 0;
    long got;

    while (hd_sys(SYS_ioctl, fd, FIONREAD, &bytes) == 0 && bytes > 0 && hd_sys(SYS_read, fd, piece, sizeof piece) > 0)
        ;
    while (bytes == 0 && (ready(fd) & (POLLIN | POLLRDHUP | POLLHUP)) == POLLIN &&
           (got = hd_sys6(SYS_accept4, fd, 0, 0, SOCK_CLOEXEC, 0, 0)) >= 0)
        hd_sys(SYS_close, got, 0, 0);
}

void hd_open_objects_settle(void)
{
    static int fds[MOST];
    unsigned n = hd_process_descriptors(fds, MOST);
    struct stat st;
    uint64_t unused;

    for (unsigned i = 0; i < n && i < MOST; i++)
        if (!hd_process_is_inherited(fds[i]) && hd_process_is_targets(fds[i]) && hd_sys(SYS_fstat, fds[i], &st, 0) == 0 &&
            (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
            drain(fds[i]);
    for (unsigned i = 0; i < ncounters; i++)
        settle_counter(&counters[i]);
    hd_open_objects_take(&unused); /* stores the current members in `now` */
    settle_members();
}

static bool see_shared(const struct hd_mapping *m, void *found)
{
    bool wire = m->lo >= HD_WIRE_ADDR && m->lo < HD_WIRE_ADDR + (HD_MAX_WORKERS + 2) * HD_WIRE_STRIDE;

    *(bool *)found |= m->shared && m->writes && !wire && !hd_process_is_own(m->lo);
    return true;
}

bool hd_open_objects_shares_memory(void)
{
    bool found = false;

    return !hd_maps_each(see_shared, &found) || found;
}
