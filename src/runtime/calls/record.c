/* SPDX-License-Identifier: BSD-2-Clause
 *
 * record.c - calls that ask about files, directories and the process: the kernel fills a
 * record or a buffer, which is made writable first (see intercept_io.c). */
#include <dirent.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/real.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/pids.h"

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

/* One that asks about path, and writes n bytes at p; of is what it has found, or NULL. */
#define ASKS(type, name, params, args, path, p, n, of)                           \
    HD_EXPORT type name params                                                   \
    {                                                                            \
        if (hd.cur == NULL)                                                      \
            return HD_REAL(name) args;                                           \
        path = hd_pid_path(path);                                                \
        hd_io_writes(p, n);                                                      \
        bool begun = hd_state_begin(HD_EV_STATE_READ, HD_STATE_NAMES, HD_PC);    \
        type result = HD_REAL(name) args;                                        \
                                                                                 \
        hd_shared_end(begun, false);                                             \
        if (begun) {                                                             \
            hd_files_named(begun, path, false, HD_PC);                           \
            hd_shared_also(begun, of, false, HD_PC);                             \
            hd_files_flow((intptr_t)result >= 0, HD_FLOW_LEARNS, HD_PC);         \
            hd_files_contents_flow(true, of, false, HD_PC);                      \
        }                                                                        \
        return result;                                                           \
    }
#define STATS(name, params, args)                                                  \
    ASKS(int, name, params, args, path, s, sizeof *s,                              \
         result == 0 ? hd_files_contents_of(s->st_dev, s->st_ino) : NULL)

STATS(stat, (const char *path, struct stat *s), (path, s))
STATS(lstat, (const char *path, struct stat *s), (path, s))
STATS(fstatat, (int dir, const char *path, struct stat *s, int flags), (dir, path, s, flags))
STATS(stat64, (const char *path, struct stat64 *s), (path, s))
STATS(lstat64, (const char *path, struct stat64 *s), (path, s))
STATS(fstatat64, (int dir, const char *path, struct stat64 *s, int flags), (dir, path, s, flags))
STATS(__xstat, (int v, const char *path, struct stat *s), (v, path, s))
STATS(__lxstat, (int v, const char *path, struct stat *s), (v, path, s))
ASKS(int, statx, (int dir, const char *path, int flags, unsigned mask, struct statx *s),
     (dir, path, flags, mask, s), path, s, sizeof *s,
     result == 0 ? hd_files_contents_of(makedev(s->stx_dev_major, s->stx_dev_minor), s->stx_ino) : NULL)
ASKS(int, access, (const char *path, int mode), (path, mode), path, NULL, 0, NULL)
ASKS(int, faccessat, (int dir, const char *path, int mode, int flags), (dir, path, mode, flags), path,
     NULL, 0, NULL)
ASKS(ssize_t, readlink, (const char *path, char *buf, size_t n), (path, buf, n), path, buf, n, NULL)
ASKS(ssize_t, readlinkat, (int dir, const char *path, char *buf, size_t n), (dir, path, buf, n), path,
     buf, n, NULL)
ASKS(char *, realpath, (const char *path, char *buf), (path, buf), path, NULL, 0, NULL)

/* One that asks about an open file. */
#define FSTATS(name, params, args)                                    \
    HD_EXPORT int name params                                         \
    {                                                                 \
        if (hd.cur == NULL)                                           \
            return HD_REAL(name) args;                                \
        hd_io_writes(s, sizeof *s);                                   \
        bool begun = hd_files_contents_begin(HD_EV_STATE_READ, fd, HD_PC); \
        int result = HD_REAL(name) args;                              \
                                                                      \
        hd_shared_end(begun, false);                                  \
        hd_files_contents_flow(begun, hd_files_contents(fd), false, HD_PC); \
        return result;                                                \
    }
FSTATS(fstat, (int fd, struct stat *s), (fd, s))
FSTATS(fstat64, (int fd, struct stat64 *s), (fd, s))
FSTATS(__fxstat, (int v, int fd, struct stat *s), (v, fd, s))

/* One that tells of the process. */
#define TELLS(state, type, name, params, args, p, n)                         \
    HD_EXPORT type name params                                               \
    {                                                                        \
        hd_io_writes(p, n);                                                  \
        hd_state_use(HD_EV_STATE_READ, state, HD_PC);                        \
        return HD_REAL(name) args;                                           \
    }
TELLS(HD_STATE_SURROUNDINGS, char *, getcwd, (char *buf, size_t n), (buf, n), buf, n)
TELLS(HD_STATE_SURROUNDINGS, char *, __getcwd_chk, (char *buf, size_t n, size_t room),
      (buf, n, room), buf, n)
TELLS(HD_STATE_SURROUNDINGS, char *, get_current_dir_name, (void), (), NULL, 0)

/* One that asks about a process. */
#define ASKS_OF(type, name, params, args, p, n)                                                        \
    HD_EXPORT type name params                                                                         \
    {                                                                                                  \
        if (hd.cur == NULL)                                                                            \
            return HD_REAL(name) args;                                                                 \
        hd_io_writes(p, n);                                                                            \
        if (!hd_pid_allowed(&pid, EPERM, #name " of the parent process, which is Heddle: refused"))    \
            return -1;                                                                                 \
        return HD_REAL(name) args;                                                                     \
    }

FILLS(int, statfs, (const char *path, struct statfs *s), (path, s), s, sizeof *s)
FILLS(int, fstatfs, (int fd, struct statfs *s), (fd, s), s, sizeof *s)
FILLS(int, uname, (struct utsname *u), (u), u, sizeof *u)
FILLS(int, sysinfo, (struct sysinfo *i), (i), i, sizeof *i)
FILLS(int, getgroups, (int n, gid_t *list), (n, list), list, n > 0 ? (size_t)n * sizeof *list : 0)
ASKS_OF(int, sched_rr_get_interval, (pid_t pid, struct timespec *t), (pid, t), t, sizeof *t)
FILLS(int, clock_getres, (clockid_t clock, struct timespec *t), (clock, t), t, sizeof *t)
FILLS(ssize_t, getxattr, (const char *path, const char *name, void *buf, size_t n),
      (path, name, buf, n), buf, n)
FILLS(ssize_t, lgetxattr, (const char *path, const char *name, void *buf, size_t n),
      (path, name, buf, n), buf, n)
FILLS(ssize_t, fgetxattr, (int fd, const char *name, void *buf, size_t n), (fd, name, buf, n), buf, n)
FILLS(ssize_t, listxattr, (const char *path, char *buf, size_t n), (path, buf, n), buf, n)
FILLS(ssize_t, llistxattr, (const char *path, char *buf, size_t n), (path, buf, n), buf, n)
FILLS(ssize_t, flistxattr, (int fd, char *buf, size_t n), (fd, buf, n), buf, n)
FILLS(ssize_t, getdents64, (int fd, void *buf, size_t n), (fd, buf, n), buf, n)

/* A DIR is one block: its head, and the buffer that the kernel fills.  Reading it moves
 * on in it. */
#define READDIR(type, name)                                                          \
    HD_EXPORT type *name(DIR *d)                                                     \
    {                                                                                \
        hd_io_writes(d, malloc_usable_size(d));                                      \
        if (!hd_shared_is_met())                                                     \
            return HD_REAL(name)(d);                                                 \
        bool begun = hd_shared_begin(HD_EV_STATE_WRITE, hd_object(d, HD_OBJ_STATE), HD_PC); \
        type *entry = HD_REAL(name)(d);                                              \
                                                                                     \
        hd_shared_end(begun, false);                                                 \
        hd_state_also(begun, HD_STATE_NAMES, false, HD_PC);                          \
        return entry;                                                                \
    }
READDIR(struct dirent, readdir)
READDIR(struct dirent64, readdir64)

HD_EXPORT int closedir(DIR *d)
{
    if (hd.cur == NULL)
        return HD_REAL(closedir)(d);
    int fd = dirfd(d);
    bool begun = hd_state_begin(HD_EV_STATE_UPDATE, HD_STATE_DESCRIPTORS, HD_PC);
    int result = HD_REAL(closedir)(d);

    hd_shared_end(begun, false);
    hd_shared_also(begun, hd_object(d, HD_OBJ_STATE), true, HD_PC);
    hd_files_closed(fd);
    return result;
}

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
