/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_file.c - files by name, and calls that fill a record.
 *
 * What is written to files outlives the execution, in process and in a forked
 * worker alike: the verdict names it.  Opening for writing asks for fork
 * isolation, because offsets and descriptors are then the worker's own.  Records
 * that the kernel fills are made writable first (see intercept_io.c). */
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "runtime/intercept.h"
#include "runtime/intercept_io.h"
#include "runtime/intercept_random.h"
#include "runtime/real.h"

static bool has_prefix(const char *s, const char *prefix)
{
    while (*prefix != '\0')
        if (*s++ != *prefix++)
            return false;
    return true;
}

/* ---- opening ----------------------------------------------------------------------- */

static bool is_same(const char *s, const char *t)
{
    while (*s != '\0' && *s == *t)
        s++, t++;
    return *s == *t;
}

static bool is_random_device(const char *path)
{
    return is_same(path, "/dev/urandom") || is_same(path, "/dev/random");
}

static HD_COLD void opened(const char *path, bool writes)
{
    hd.io_used = 1;
    if (is_random_device(path)) {
        hd_uncontrolled("reading /dev/urandom");
    } else if (writes && !has_prefix(path, "/dev/")) {
        hd_uncontrolled("files that the program writes: their contents outlive an execution");
        hd_needs_fork("it opens a file for writing");
    }
}

/* In place of a device of random numbers: a file of them, which depends on the
 * execution and the thread, as what getrandom gives does.  -1: open it as it is. */
static HD_COLD int open_random(int flags)
{
    enum { BYTES = 64 * 1024 };
    static unsigned char bytes[BYTES];
    long fd = hd_sys(SYS_memfd_create, "random", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0, 0);

    hd.io_used = 1;
    if (fd < 0)
        return -1;
    hd_random_fill(bytes, BYTES);
    if (hd_sys6(SYS_pwrite64, fd, (long)bytes, BYTES, 0, 0, 0) == BYTES)
        return (int)fd;
    hd_sys(SYS_close, fd, 0, 0);
    return -1;
}

static bool flags_write(int flags)
{
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

static bool mode_has(const char *mode, char letter)
{
    for (; *mode != '\0'; mode++)
        if (*mode == letter)
            return true;
    return false;
}

static bool mode_writes(const char *mode)
{
    return mode_has(mode, 'w') || mode_has(mode, 'a') || mode_has(mode, '+');
}

/* Until its other end is opened too, which may be the task of another thread. */
static bool may_block(const char *path, int flags)
{
    static struct stat s;

    return (flags & O_ACCMODE) != O_RDWR && (flags & O_NONBLOCK) == 0 &&
           hd_sys(SYS_stat, path, &s, 0) == 0 && S_ISFIFO(s.st_mode);
}

/* A controlled thread opens path: the descriptor, or -1 when the real call is to. */
static int open_instead(const char *path, int flags)
{
    if (HD_UNLIKELY(path[0] == '/' && !flags_write(flags) && is_random_device(path))) {
        int fd = open_random(flags);

        if (fd >= 0)
            return fd;
    }
    if (may_block(path, flags))
        hd_uncontrolled("opening a FIFO may block outside Heddle's control");
    opened(path, flags_write(flags));
    return -1;
}

static FILE *stream_instead(const char *path, const char *mode)
{
    int fd = -1;

    if (is_random_device(path) && !mode_writes(mode))
        fd = open_random(mode_has(mode, 'e') ? O_CLOEXEC : 0);
    if (fd >= 0)
        return HD_REAL(fdopen)(fd, mode);
    opened(path, mode_writes(mode));
    return NULL;
}

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

/* The mode is passed on always; the kernel looks at it only when it is there. */
#define OPEN(name)                                           \
    HD_EXPORT int name(const char *path, int flags, ...)     \
    {                                                        \
        va_list ap;                                          \
                                                             \
        va_start(ap, flags);                                 \
        mode_t mode = va_arg(ap, mode_t);                    \
        va_end(ap);                                          \
        int fd = hd.cur != NULL ? open_instead(path, flags) : -1; \
                                                             \
        return fd >= 0 ? fd : HD_REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                              \
    HD_EXPORT int name(int dir, const char *path, int flags, ...) \
    {                                                             \
        va_list ap;                                               \
                                                                  \
        va_start(ap, flags);                                      \
        mode_t mode = va_arg(ap, mode_t);                         \
        va_end(ap);                                               \
        int fd = hd.cur != NULL ? open_instead(path, flags) : -1; \
                                                                  \
        return fd >= 0 ? fd : HD_REAL(name)(dir, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

/* An interposer that runs `note` first when a controlled thread calls. */
#define NOTED(type, name, params, args, note) \
    HD_EXPORT type name params                \
    {                                         \
        if (hd.cur != NULL)                   \
            note;                             \
        return HD_REAL(name) args;            \
    }

/* One that is given what `instead` makes when that is not `none`. */
#define INSTEAD(type, name, params, args, instead, none)   \
    HD_EXPORT type name params                             \
    {                                                      \
        type made = hd.cur != NULL ? (instead) : (none);   \
                                                           \
        return made != (none) ? made : HD_REAL(name) args; \
    }

INSTEAD(int, __open_2, (const char *path, int flags), (path, flags), open_instead(path, flags), -1)
INSTEAD(int, __open64_2, (const char *path, int flags), (path, flags), open_instead(path, flags), -1)
NOTED(int, creat, (const char *path, mode_t mode), (path, mode), opened(path, true))
NOTED(int, creat64, (const char *path, mode_t mode), (path, mode), opened(path, true))
INSTEAD(FILE *, fopen, (const char *path, const char *mode), (path, mode),
        stream_instead(path, mode), NULL)
INSTEAD(FILE *, fopen64, (const char *path, const char *mode), (path, mode),
        stream_instead(path, mode), NULL)
NOTED(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f),
      opened(path != NULL ? path : "", mode_writes(mode)))
NOTED(FILE *, tmpfile, (void), (), opened("", true))
NOTED(int, mkstemp, (char *path), (path), opened(path, true))
NOTED(DIR *, opendir, (const char *path), (path), opened(path, false))

/* ---- descriptors that come and go --------------------------------------------------- */

NOTED(int, dup, (int fd), (fd), hd_io_descriptor())
NOTED(int, dup2, (int fd, int to), (fd, to), hd_io_descriptor())
NOTED(int, dup3, (int fd, int to, int flags), (fd, to, flags), hd_io_descriptor())
NOTED(int, eventfd, (unsigned value, int flags), (value, flags), hd_io_descriptor())
NOTED(int, epoll_create, (int size), (size), hd_io_descriptor())
NOTED(int, epoll_create1, (int flags), (flags), hd_io_descriptor())

HD_EXPORT int pipe(int fd[2])
{
    hd_io_writes(fd, 2 * sizeof *fd);
    return HD_REAL(pipe)(fd);
}

HD_EXPORT int pipe2(int fd[2], int flags)
{
    hd_io_writes(fd, 2 * sizeof *fd);
    return HD_REAL(pipe2)(fd, flags);
}

HD_EXPORT int socketpair(int domain, int type, int protocol, int fd[2])
{
    hd_io_writes(fd, 2 * sizeof *fd);
    return HD_REAL(socketpair)(domain, type, protocol, fd);
}

static HD_COLD void network(void)
{
    hd.io_used = 1;
    hd_uncontrolled("sockets: what comes from other processes");
    hd_needs_fork("it uses sockets");
}

NOTED(int, socket, (int domain, int type, int protocol), (domain, type, protocol), network())
NOTED(int, bind, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n), network())
NOTED(int, connect, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n), network())

/* ---- changes of the file system -------------------------------------------------------- */

static HD_COLD void changes_names(void)
{
    hd_uncontrolled("changes of the file system (unlink, rename, mkdir …): they outlive an "
                    "execution");
}

NOTED(int, unlink, (const char *path), (path), changes_names())
NOTED(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags), changes_names())
NOTED(int, remove, (const char *path), (path), changes_names())
NOTED(int, rename, (const char *from, const char *to), (from, to), changes_names())
NOTED(int, mkdir, (const char *path, mode_t mode), (path, mode), changes_names())
NOTED(int, rmdir, (const char *path), (path), changes_names())
NOTED(int, link, (const char *from, const char *to), (from, to), changes_names())
NOTED(int, symlink, (const char *from, const char *to), (from, to), changes_names())
NOTED(int, truncate, (const char *path, off_t n), (path, n), changes_names())
NOTED(int, mkfifo, (const char *path, mode_t mode), (path, mode), changes_names())
NOTED(char *, mkdtemp, (char *path), (path), changes_names())

/* ---- records that the kernel fills ---------------------------------------------------------- */

/* An interposer that makes n bytes at p writable first. */
#define FILLS(type, name, params, args, p, n) \
    HD_EXPORT type name params                \
    {                                         \
        hd_io_writes(p, n);                   \
        return HD_REAL(name) args;            \
    }

int __xstat(int version, const char *path, struct stat *s);
int __fxstat(int version, int fd, struct stat *s);
int __lxstat(int version, const char *path, struct stat *s);
char *__getcwd_chk(char *buf, size_t n, size_t room);

FILLS(int, stat, (const char *path, struct stat *s), (path, s), s, sizeof *s)
FILLS(int, lstat, (const char *path, struct stat *s), (path, s), s, sizeof *s)
FILLS(int, fstat, (int fd, struct stat *s), (fd, s), s, sizeof *s)
FILLS(int, fstatat, (int dir, const char *path, struct stat *s, int flags), (dir, path, s, flags),
      s, sizeof *s)
FILLS(int, stat64, (const char *path, struct stat64 *s), (path, s), s, sizeof *s)
FILLS(int, lstat64, (const char *path, struct stat64 *s), (path, s), s, sizeof *s)
FILLS(int, fstat64, (int fd, struct stat64 *s), (fd, s), s, sizeof *s)
FILLS(int, fstatat64, (int dir, const char *path, struct stat64 *s, int flags),
      (dir, path, s, flags), s, sizeof *s)
FILLS(int, __xstat, (int v, const char *path, struct stat *s), (v, path, s), s, sizeof *s)
FILLS(int, __fxstat, (int v, int fd, struct stat *s), (v, fd, s), s, sizeof *s)
FILLS(int, __lxstat, (int v, const char *path, struct stat *s), (v, path, s), s, sizeof *s)
FILLS(int, statx, (int dir, const char *path, int flags, unsigned mask, struct statx *s),
      (dir, path, flags, mask, s), s, sizeof *s)
FILLS(int, statfs, (const char *path, struct statfs *s), (path, s), s, sizeof *s)
FILLS(int, fstatfs, (int fd, struct statfs *s), (fd, s), s, sizeof *s)
FILLS(char *, getcwd, (char *buf, size_t n), (buf, n), buf, n)
FILLS(char *, __getcwd_chk, (char *buf, size_t n, size_t room), (buf, n, room), buf, n)
FILLS(ssize_t, readlink, (const char *path, char *buf, size_t n), (path, buf, n), buf, n)
FILLS(ssize_t, readlinkat, (int dir, const char *path, char *buf, size_t n), (dir, path, buf, n),
      buf, n)
FILLS(int, uname, (struct utsname *u), (u), u, sizeof *u)
FILLS(int, sysinfo, (struct sysinfo *i), (i), i, sizeof *i)
FILLS(int, getrlimit, (__rlimit_resource_t what, struct rlimit *r), (what, r), r, sizeof *r)
FILLS(int, getrlimit64, (__rlimit_resource_t what, struct rlimit64 *r), (what, r), r, sizeof *r)
FILLS(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set), set, n)
FILLS(int, getgroups, (int n, gid_t *list), (n, list), list, n > 0 ? (size_t)n * sizeof *list : 0)
FILLS(int, getitimer, (__itimer_which_t which, struct itimerval *t), (which, t), t, sizeof *t)
FILLS(int, sigpending, (sigset_t *set), (set), set, sizeof *set)
FILLS(int, sched_getparam, (pid_t pid, struct sched_param *p), (pid, p), p, sizeof *p)
FILLS(int, sched_rr_get_interval, (pid_t pid, struct timespec *t), (pid, t), t, sizeof *t)
FILLS(int, pthread_getaffinity_np, (pthread_t thread, size_t n, cpu_set_t *set), (thread, n, set),
      set, n)
FILLS(int, prlimit, (pid_t pid, __rlimit_resource_t what, const struct rlimit *r, struct rlimit *old),
      (pid, what, r, old), old, sizeof *old)
FILLS(int, clock_getres, (clockid_t clock, struct timespec *t), (clock, t), t, sizeof *t)
FILLS(int, timerfd_gettime, (int fd, struct itimerspec *t), (fd, t), t, sizeof *t)
FILLS(int, timerfd_settime, (int fd, int flags, const struct itimerspec *t, struct itimerspec *old),
      (fd, flags, t, old), old, sizeof *old)
FILLS(ssize_t, getxattr, (const char *path, const char *name, void *buf, size_t n),
      (path, name, buf, n), buf, n)
FILLS(ssize_t, lgetxattr, (const char *path, const char *name, void *buf, size_t n),
      (path, name, buf, n), buf, n)
FILLS(ssize_t, fgetxattr, (int fd, const char *name, void *buf, size_t n), (fd, name, buf, n), buf, n)
FILLS(ssize_t, listxattr, (const char *path, char *buf, size_t n), (path, buf, n), buf, n)
FILLS(ssize_t, llistxattr, (const char *path, char *buf, size_t n), (path, buf, n), buf, n)
FILLS(ssize_t, flistxattr, (int fd, char *buf, size_t n), (fd, buf, n), buf, n)
FILLS(ssize_t, getdents64, (int fd, void *buf, size_t n), (fd, buf, n), buf, n)

/* A DIR is one block: its head, and the buffer that the kernel fills. */
FILLS(struct dirent *, readdir, (DIR *d), (d), d, malloc_usable_size(d))
FILLS(struct dirent64 *, readdir64, (DIR *d), (d), d, malloc_usable_size(d))

#define FILLS_IDS(name, type)                      \
    HD_EXPORT int name(type *a, type *b, type *c)  \
    {                                              \
        hd_io_writes(a, sizeof *a);                \
        hd_io_writes(b, sizeof *b);                \
        hd_io_writes(c, sizeof *c);                \
        return HD_REAL(name)(a, b, c);             \
    }
FILLS_IDS(getresuid, uid_t)
FILLS_IDS(getresgid, gid_t)
