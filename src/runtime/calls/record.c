/* SPDX-License-Identifier: BSD-2-Clause
 *
 * record.c - queries about files, directories and the process.  The kernel fills a record or a
 * buffer, so the interposer makes it writable first (see io.c). */
#include <dirent.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
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
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/pids.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/memory_ops.h"

static ssize_t text_filled(const char *result)
{
    return result == NULL ? -1 : (ssize_t)hd_length(result) + 1;
}

/* How many of the n bytes a call has written.  A result of type int is 0 or an error code; a text is the string that
 * was written; any other result is the number of bytes. */
#define FILLED(type, n, result)                                          \
    _Generic((result), char *: text_filled((const char *)(intptr_t)(result)), \
        int: (intptr_t)(result) < 0 ? -1 : (ssize_t)(n), default: (ssize_t)(intptr_t)(result))

#define FILLS(type, name, params, args, p, n)            \
    HD_EXPORT type name params                           \
    {                                                    \
        hd_io_writes(p, n);                              \
        type result = HD_REAL(name) args;                \
                                                         \
        hd_io_wrote(p, FILLED(type, n, result), HD_PC);  \
        return result;                                   \
    }

int __xstat(int version, const char *path, struct stat *s);
int __fxstat(int version, int fd, struct stat *s);
int __lxstat(int version, const char *path, struct stat *s);
int __fxstatat(int version, int dir, const char *path, struct stat *s, int flags);
int __xstat64(int version, const char *path, struct stat64 *s);
int __fxstat64(int version, int fd, struct stat64 *s);
int __lxstat64(int version, const char *path, struct stat64 *s);
int __fxstatat64(int version, int dir, const char *path, struct stat64 *s, int flags);
char *__realpath_chk(const char *path, char *buf, size_t room);
ssize_t __readlink_chk(const char *path, char *buf, size_t n, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *buf, size_t n, size_t room);
char *__getcwd_chk(char *buf, size_t n, size_t room);

/* A query about path that writes n bytes at p.  `of` is the contents object of the file that was
 * found, or NULL. */
#define ASKS(type, name, params, args, path, p, n, of)                           \
    HD_EXPORT type name params                                                   \
    {                                                                            \
        if (hd.cur == NULL)                                                      \
            return HD_REAL(name) args;                                           \
        hd_range_of_text(path, HD_PC);                                           \
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
        hd_io_wrote(p, FILLED(type, n, result), HD_PC);                          \
        return result;                                                           \
    }
#define STATS(type, name, params, args)                                                  \
    ASKS(int, name, params, args, path, s, sizeof *s,                              \
         result == 0 ? hd_files_contents_of(s->st_dev, s->st_ino, s->st_nlink > 0) : NULL)

/* A query about an open file. */
#define FSTATS(type, name, params, args)                                    \
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
        hd_io_wrote(s, result == 0 ? (ssize_t)sizeof *s : -1, HD_PC); \
        return result;                                                \
    }

/* A query about the process. */
#define TELLS(type, name, params, args, state, p, n)                         \
    HD_EXPORT type name params                                               \
    {                                                                        \
        hd_io_writes(p, n);                                                  \
        hd_state_use(HD_EV_STATE_READ, state, HD_PC);                        \
        type result = HD_REAL(name) args;                                    \
                                                                             \
        if (hd.cur != NULL && result != NULL)                                \
            hd_range_of_call(p, hd_length(result) + 1, true, HD_PC);         \
        return result;                                                       \
    }

/* A query about another process. */
#define ASKS_OF(type, name, params, args, p, n)                                                        \
    HD_EXPORT type name params                                                                         \
    {                                                                                                  \
        if (hd.cur == NULL)                                                                            \
            return HD_REAL(name) args;                                                                 \
        hd_io_writes(p, n);                                                                            \
        if (!hd_pid_allowed(&pid, EPERM, #name " of the parent process, which is Heddle: refused"))    \
            return -1;                                                                                 \
        type result = HD_REAL(name) args;                                                              \
                                                                                                       \
        hd_io_wrote(p, FILLED(type, n, result), HD_PC);                                                \
        return result;                                                                                 \
    }

/* A DIR is one block: its head, and the buffer that the kernel fills.  Reading an entry advances
 * its position. */
#define READDIR(type, name, params, args)                                            \
    HD_EXPORT type name params                                                       \
    {                                                                                \
        hd_io_writes(d, malloc_usable_size(d));                                      \
        if (!hd_shared_may_conflict())                                                     \
            return HD_REAL(name) args;                                               \
        bool begun = hd_shared_begin(HD_EV_STATE_WRITE, hd_object(d, HD_OBJ_STATE), HD_PC); \
        type entry = HD_REAL(name) args;                                             \
                                                                                     \
        hd_shared_end(begun, false);                                                 \
        hd_state_also(begun, HD_STATE_NAMES, false, HD_PC);                          \
        return entry;                                                                \
    }

static int model_closedir(DIR *d, uint64_t pc)
{
    int fd = dirfd(d);
    bool begun = hd_state_begin(HD_EV_STATE_UPDATE, HD_STATE_DESCRIPTORS, pc);
    int result = HD_REAL(closedir)(d);

    hd_shared_end(begun, false);
    hd_shared_also(begun, hd_object(d, HD_OBJ_STATE), true, pc);
    hd_files_closed(fd);
    return result;
}

#define FILLS_IDS(type, name, params, args)        \
    HD_EXPORT type name params                     \
    {                                              \
        hd_io_writes(a, sizeof *a);                \
        hd_io_writes(b, sizeof *b);                \
        hd_io_writes(c, sizeof *c);                \
        type result = HD_REAL(name) args;          \
                                                   \
        if (result == 0) {                         \
            hd_io_wrote(a, sizeof *a, HD_PC);      \
            hd_io_wrote(b, sizeof *b, HD_PC);      \
            hd_io_wrote(c, sizeof *c, HD_PC);      \
        }                                          \
        return result;                             \
    }

#define CALLS_RECORD
#include "runtime/calls/calls.def"
