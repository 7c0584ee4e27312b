/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attributes.c - calls that change what a file has besides its name and contents, or make
 * one that is neither file nor directory.  All of it is put back after the execution (undo.h). */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/real.h"
#include "runtime/kernel/files.h"
#include "runtime/restore/undo.h"

/* An interposer of a call that changes a file, after `note`: names are what all of them share. */
#define CHANGES(name, params, args, note)                                        \
    HD_EXPORT int name params                                                    \
    {                                                                            \
        if (hd.cur == NULL)                                                      \
            return HD_REAL(name) args;                                           \
        bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_NAMES, HD_PC);   \
        note;                                                                    \
        int result = HD_REAL(name) args;                                         \
                                                                                 \
        hd_shared_end(begun, result != 0);                                       \
        hd_files_flow(begun && result == 0, HD_FLOW_LEARNS | HD_FLOW_TELLS, HD_PC); \
        return result;                                                           \
    }
#define NAME(name, params, args, dir) CHANGES(name, params, args, hd_undo_name(dir, path))
#define CONTENTS(name, params, args, dir) CHANGES(name, params, args, hd_undo_contents(dir, path))
#define OPEN_FILE(name, params, args) CHANGES(name, params, args, hd_undo_descriptor(fd))

/* A name that is NULL or empty stands for the descriptor. */
static void undo_either(int dir, const char *path, int flags)
{
    if (path == NULL || path[0] == '\0')
        hd_undo_descriptor(dir);
    else if ((flags & AT_SYMLINK_NOFOLLOW) != 0)
        hd_undo_name(dir, path);
    else
        hd_undo_contents(dir, path);
}

NAME(mkfifoat, (int dir, const char *path, mode_t mode), (dir, path, mode), dir)
NAME(mknod, (const char *path, mode_t mode, dev_t dev), (path, mode, dev), AT_FDCWD)
NAME(mknodat, (int dir, const char *path, mode_t mode, dev_t dev), (dir, path, mode, dev), dir)

CHANGES(fchmodat, (int dir, const char *path, mode_t mode, int flags), (dir, path, mode, flags),
        undo_either(dir, path, flags))
OPEN_FILE(fchmod, (int fd, mode_t mode), (fd, mode))

CONTENTS(chown, (const char *path, uid_t u, gid_t g), (path, u, g), AT_FDCWD)
NAME(lchown, (const char *path, uid_t u, gid_t g), (path, u, g), AT_FDCWD)
OPEN_FILE(fchown, (int fd, uid_t u, gid_t g), (fd, u, g))
CHANGES(fchownat, (int dir, const char *path, uid_t u, gid_t g, int flags), (dir, path, u, g, flags),
        undo_either(dir, path, flags))

CONTENTS(utime, (const char *path, const struct utimbuf *t), (path, t), AT_FDCWD)
CONTENTS(utimes, (const char *path, const struct timeval t[2]), (path, t), AT_FDCWD)
NAME(lutimes, (const char *path, const struct timeval t[2]), (path, t), AT_FDCWD)
OPEN_FILE(futimes, (int fd, const struct timeval t[2]), (fd, t))
CHANGES(futimesat, (int dir, const char *path, const struct timeval t[2]), (dir, path, t), undo_either(dir, path, 0))
OPEN_FILE(futimens, (int fd, const struct timespec t[2]), (fd, t))
CHANGES(utimensat, (int dir, const char *path, const struct timespec t[2], int flags), (dir, path, t, flags),
        undo_either(dir, path, flags))

CONTENTS(setxattr, (const char *path, const char *key, const void *v, size_t n, int flags), (path, key, v, n, flags),
         AT_FDCWD)
NAME(lsetxattr, (const char *path, const char *key, const void *v, size_t n, int flags), (path, key, v, n, flags),
     AT_FDCWD)
OPEN_FILE(fsetxattr, (int fd, const char *key, const void *v, size_t n, int flags), (fd, key, v, n, flags))
CONTENTS(removexattr, (const char *path, const char *key), (path, key), AT_FDCWD)
NAME(lremovexattr, (const char *path, const char *key), (path, key), AT_FDCWD)
OPEN_FILE(fremovexattr, (int fd, const char *key), (fd, key))
