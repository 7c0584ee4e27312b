/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw_files.c - system calls on names of files, by the interposers of libc's functions
 * (see intercept_raw.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/calls/raw.h"
#include "runtime/core/rt.h"
#include "runtime/hooks/syscalls.h"

long hd_raw_opening(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_open:
        return open(PTR(0), INT(1), (mode_t)a[2]);
    case SYS_openat:
        return openat(INT(0), PTR(1), INT(2), (mode_t)a[3]);
    case SYS_creat:
        return creat(PTR(0), (mode_t)a[1]);
    case SYS_truncate:
        return truncate(PTR(0), a[1]);
    case SYS_chmod:
        return chmod(PTR(0), (mode_t)a[1]);
    case SYS_chdir:
        return chdir(PTR(0));
    case SYS_fchdir:
        return fchdir(INT(0));
    case SYS_umask:
        return (long)umask((mode_t)a[0]);
    case SYS_getcwd: /* the kernel tells the length, libc the place */
        return getcwd(PTR(0), SIZE(1)) != NULL ? (long)strlen(PTR(0)) + 1 : -1;
    default:
        *known = false;
        return 0;
    }
}

long hd_raw_looking(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_stat:
        return stat(PTR(0), PTR(1));
    case SYS_lstat:
        return lstat(PTR(0), PTR(1));
    case SYS_newfstatat:
        return fstatat(INT(0), PTR(1), PTR(2), INT(3));
    case SYS_statx:
        return statx(INT(0), PTR(1), INT(2), (unsigned)a[3], PTR(4));
    case SYS_statfs:
        return statfs(PTR(0), PTR(1));
    case SYS_access:
        return access(PTR(0), INT(1));
    case SYS_faccessat:
        return faccessat(INT(0), PTR(1), INT(2), 0);
    case SYS_faccessat2:
        return faccessat(INT(0), PTR(1), INT(2), INT(3));
    case SYS_readlink:
        return readlink(PTR(0), PTR(1), SIZE(2));
    case SYS_readlinkat:
        return readlinkat(INT(0), PTR(1), PTR(2), SIZE(3));
    case SYS_getxattr:
        return getxattr(PTR(0), PTR(1), PTR(2), SIZE(3));
    case SYS_lgetxattr:
        return lgetxattr(PTR(0), PTR(1), PTR(2), SIZE(3));
    case SYS_fgetxattr:
        return fgetxattr(INT(0), PTR(1), PTR(2), SIZE(3));
    case SYS_listxattr:
        return listxattr(PTR(0), PTR(1), SIZE(2));
    case SYS_llistxattr:
        return llistxattr(PTR(0), PTR(1), SIZE(2));
    case SYS_flistxattr:
        return flistxattr(INT(0), PTR(1), SIZE(2));
    default:
        *known = false;
        return 0;
    }
}

long hd_raw_naming(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_rename:
        return rename(PTR(0), PTR(1));
    case SYS_renameat:
        return renameat(INT(0), PTR(1), INT(2), PTR(3));
    case SYS_renameat2:
        return renameat2(INT(0), PTR(1), INT(2), PTR(3), (unsigned)a[4]);
    case SYS_mkdir:
        return mkdir(PTR(0), (mode_t)a[1]);
    case SYS_mkdirat:
        return mkdirat(INT(0), PTR(1), (mode_t)a[2]);
    case SYS_rmdir:
        return rmdir(PTR(0));
    case SYS_link:
        return link(PTR(0), PTR(1));
    case SYS_linkat:
        return linkat(INT(0), PTR(1), INT(2), PTR(3), INT(4));
    case SYS_symlink:
        return symlink(PTR(0), PTR(1));
    case SYS_symlinkat:
        return symlinkat(PTR(0), INT(1), PTR(2));
    case SYS_unlink:
        return unlink(PTR(0));
    case SYS_unlinkat:
        return unlinkat(INT(0), PTR(1), INT(2));
    default:
        *known = false;
        return 0;
    }
}

long hd_raw_marks(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_fchmod:
        return fchmod(INT(0), (mode_t)a[1]);
    case SYS_fchmodat:
        return fchmodat(INT(0), PTR(1), (mode_t)a[2], 0);
    case SYS_chown:
        return chown(PTR(0), (uid_t)a[1], (gid_t)a[2]);
    case SYS_fchown:
        return fchown(INT(0), (uid_t)a[1], (gid_t)a[2]);
    case SYS_lchown:
        return lchown(PTR(0), (uid_t)a[1], (gid_t)a[2]);
    case SYS_fchownat:
        return fchownat(INT(0), PTR(1), (uid_t)a[2], (gid_t)a[3], INT(4));
    case SYS_mknod:
        return mknod(PTR(0), (mode_t)a[1], (dev_t)a[2]);
    case SYS_mknodat:
        return mknodat(INT(0), PTR(1), (mode_t)a[2], (dev_t)a[3]);
    case SYS_utime:
        return utime(PTR(0), PTR(1));
    case SYS_utimes:
        return utimes(PTR(0), PTR(1));
    case SYS_futimesat:
        return futimesat(INT(0), PTR(1), PTR(2));
    case SYS_utimensat:
        return a[1] != 0 ? utimensat(INT(0), PTR(1), PTR(2), INT(3)) : futimens(INT(0), PTR(2));
    case SYS_setxattr:
        return setxattr(PTR(0), PTR(1), PTR(2), SIZE(3), INT(4));
    case SYS_lsetxattr:
        return lsetxattr(PTR(0), PTR(1), PTR(2), SIZE(3), INT(4));
    case SYS_fsetxattr:
        return fsetxattr(INT(0), PTR(1), PTR(2), SIZE(3), INT(4));
    case SYS_removexattr:
        return removexattr(PTR(0), PTR(1));
    case SYS_lremovexattr:
        return lremovexattr(PTR(0), PTR(1));
    case SYS_fremovexattr:
        return fremovexattr(INT(0), PTR(1));
    default:
        *known = false;
        return 0;
    }
}
