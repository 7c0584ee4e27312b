/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.c - files and descriptors. */
#include "passive.h"

#include <aio.h>
#include <dirent.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <utime.h>
#include <termios.h>

#define BUF passive_buf
#define NAME passive_name

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
ssize_t __pread_chk(int fd, void *buf, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *buf, size_t n, off64_t at, size_t room);
char *__realpath_chk(const char *path, char *buf, size_t room);
ssize_t __readlink_chk(const char *path, char *buf, size_t n, size_t room);
ssize_t __readlinkat_chk(int dir, const char *path, char *buf, size_t n, size_t room);
ssize_t __read_chk(int fd, void *buf, size_t n, size_t room);
char *__getcwd_chk(char *buf, size_t n, size_t room);
int __xstat(int version, const char *path, struct stat *s);
int __fxstat(int version, int fd, struct stat *s);
int __lxstat(int version, const char *path, struct stat *s);
int __fxstatat(int version, int dir, const char *path, struct stat *s, int flags);
int __xstat64(int version, const char *path, struct stat64 *s);
int __fxstat64(int version, int fd, struct stat64 *s);
int __lxstat64(int version, const char *path, struct stat64 *s);
int __fxstatat64(int version, int dir, const char *path, struct stat64 *s, int flags);

static long size_of(int rc, const struct stat *s)
{
    return rc == 0 ? (long)s->st_size : rc;
}

static void with_file(void)
{
    close(passive_file());
}

/* open, close and copies */
CALL(open, with_file(); int fd = open(NAME, O_RDONLY); return read(fd, BUF, 9);)
CALL(open64, return open64("nowhere", O_RDONLY) < 0 ? errno : 0;)
CALL(__open_2, with_file(); return read(__open_2(NAME, O_RDONLY), BUF, 9);)
CALL(__open64_2, with_file(); return read(__open64_2(NAME, O_RDONLY), BUF, 9);)
CALL(__openat_2, with_file(); return read(__openat_2(AT_FDCWD, NAME, O_RDONLY), BUF, 3);)
CALL(__openat64_2, with_file(); return read(__openat64_2(AT_FDCWD, NAME, O_RDONLY), BUF, 3);)
CALL(openat, with_file(); return read(openat(AT_FDCWD, NAME, O_RDWR | O_CREAT, 0644), BUF, 3);)
CALL(openat64, with_file(); return read(openat64(AT_FDCWD, NAME, O_RDONLY), BUF, 3);)
CALL(creat, return write(creat("new.tmp", 0600), "ab", 2) + unlink("new.tmp");)
CALL(creat64, return write(creat64("new.tmp", 0600), "ab", 2) + unlink("new.tmp");)
CALL(close, return close(passive_file()) * 10 + close(-1);)
CALL(dup, return read(dup(passive_file()), BUF, 9);)
CALL(dup2, return dup2(passive_file(), 77) + read(77, BUF, 9);)
CALL(dup3, return dup3(passive_file(), 78, O_CLOEXEC) + read(78, BUF, 9);)
CALL(memfd_create, int fd = memfd_create("m", 0); return write(fd, "abc", 3);)
CALL(fcntl, int fd = passive_file(); return fcntl(fd, F_GETFL) + fcntl(fd, F_DUPFD, 60);)
CALL(fcntl64, struct flock l = { .l_type = F_WRLCK }; return fcntl64(passive_file(), F_SETLK, &l);)
CALL(flock, return flock(passive_file(), LOCK_EX | LOCK_NB);)
CALL(lockf, return lockf(passive_file(), F_TLOCK, 1);)
CALL(ioctl, int n = 0; return ioctl(passive_file(), FIONREAD, &n) * 100 + n;)

/* reading and writing */
CALL(read, return read(passive_file(), BUF, 9) * 1000 + BUF[0];)
CALL(__read_chk, return __read_chk(passive_file(), BUF, 9, 99);)
CALL(write, return write(passive_file(), "12", 2);)
CALL(lseek, return lseek(passive_file(), -2, SEEK_END);)
CALL(lseek64, return lseek64(passive_file(), 3, SEEK_SET);)
CALL(fsync, return fsync(passive_file());)
CALL(fdatasync, return fdatasync(passive_file());)
CALL(tcdrain, return tcdrain(passive_file());)
CALL(pread, return pread(passive_file(), BUF, 9, 2) * 1000 + BUF[0];)
CALL(pread64, return pread64(passive_file(), BUF, 9, 3) * 1000 + BUF[0];)
CALL(pwrite, int fd = passive_file(); return pwrite(fd, "XY", 2, 1) + pread(fd, BUF, 9, 0) * 1000 + BUF[1];)
CALL(pwrite64, return pwrite64(passive_file(), "XY", 2, 1);)
CALL(readv, struct iovec v = { BUF, 4 }; return readv(passive_file(), &v, 1);)
CALL(writev, struct iovec v = { BUF, 4 }; return writev(passive_file(), &v, 1);)
CALL(preadv, struct iovec v = { BUF, 4 }; return preadv(passive_file(), &v, 1, 4);)
CALL(preadv2, struct iovec v = { BUF, 4 }; return preadv2(passive_file(), &v, 1, 4, 0);)
CALL(preadv64, struct iovec v = { BUF, 4 }; return preadv64(passive_file(), &v, 1, 4);)
CALL(pwritev, struct iovec v = { BUF, 4 }; return pwritev(passive_file(), &v, 1, 4);)
CALL(pwritev64, struct iovec v = { BUF, 4 }; return pwritev64(passive_file(), &v, 1, 4);)
CALL(ftruncate, int fd = passive_file(); return ftruncate(fd, 3) + lseek(fd, 0, SEEK_END);)
CALL(ftruncate64, int fd = passive_file(); return ftruncate64(fd, 30) + lseek(fd, 0, SEEK_END);)
CALL(truncate, with_file(); return truncate(NAME, 2);)
CALL(truncate64, with_file(); return truncate64(NAME, 2);)
CALL(sendfile, return sendfile(creat("new.tmp", 0600), passive_file(), NULL, 4);)
CALL(sendfile64, return sendfile64(creat("new.tmp", 0600), passive_file(), NULL, 4);)
CALL(copy_file_range, return copy_file_range(passive_file(), NULL, creat("new.tmp", 0600), NULL, 4, 0);)
CALL(aio_read, static struct aiocb a; a.aio_fildes = passive_file(); a.aio_buf = BUF; a.aio_nbytes = 4;
     int rc = aio_read(&a); while (aio_error(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return(&a);)
CALL(aio_write, static struct aiocb a; a.aio_fildes = passive_file(); a.aio_buf = BUF; a.aio_nbytes = 4;
     int rc = aio_write(&a); while (aio_error(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return(&a);)
CALL(lio_listio, static struct aiocb a; struct aiocb *list[] = { &a }; a.aio_fildes = passive_file(); a.aio_buf = BUF;
     a.aio_nbytes = 4; a.aio_lio_opcode = LIO_READ; return lio_listio(LIO_WAIT, list, 1, NULL) * 100 + aio_return(&a);)
CALL(aio_read64, static struct aiocb64 a; a.aio_fildes = passive_file(); a.aio_buf = BUF; a.aio_nbytes = 4;
     int rc = aio_read64(&a); while (aio_error64(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return64(&a);)
CALL(aio_write64, static struct aiocb64 a; a.aio_fildes = passive_file(); a.aio_buf = BUF; a.aio_nbytes = 4;
     int rc = aio_write64(&a); while (aio_error64(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return64(&a);)
CALL(aio_fsync, static struct aiocb a; a.aio_fildes = passive_file();
     int rc = aio_fsync(O_SYNC, &a); while (aio_error(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return(&a);)
CALL(aio_fsync64, static struct aiocb64 a; a.aio_fildes = passive_file();
     int rc = aio_fsync64(O_SYNC, &a); while (aio_error64(&a) == EINPROGRESS) usleep(100); return rc * 100 + aio_return64(&a);)
CALL(lio_listio64, static struct aiocb64 a; struct aiocb64 *list[] = { &a }; a.aio_fildes = passive_file(); a.aio_buf = BUF;
     a.aio_nbytes = 4; a.aio_lio_opcode = LIO_READ; return lio_listio64(LIO_WAIT, list, 1, NULL) * 100 + aio_return64(&a);)
CALL(__pread_chk, return __pread_chk(passive_file(), BUF, 3, 1, 99);)
CALL(__pread64_chk, return __pread64_chk(passive_file(), BUF, 3, 1, 99);)

/* names */
CALL(access, with_file(); return access(NAME, F_OK) * 10 + access("nowhere", F_OK);)
CALL(faccessat, with_file(); return faccessat(AT_FDCWD, NAME, R_OK, 0);)
CALL(readlink, symlink("there", "link.tmp"); return readlink("link.tmp", BUF, 99) + unlink("link.tmp");)
CALL(readlinkat, symlink("there", "link.tmp"); return readlinkat(AT_FDCWD, "link.tmp", BUF, 99) + unlink("link.tmp");)
CALL(realpath, return realpath("/usr/../", BUF) == BUF ? (long)strlen(BUF) : -1;)
CALL(__readlink_chk, symlink("there", "link.tmp"); return __readlink_chk("link.tmp", BUF, 98, 99) + unlink("link.tmp");)
CALL(__readlinkat_chk, symlink("there", "link.tmp");
     return __readlinkat_chk(AT_FDCWD, "link.tmp", BUF, 98, 99) + unlink("link.tmp");)
CALL(__realpath_chk, return __realpath_chk("/usr/../", BUF, 4096) == BUF ? (long)strlen(BUF) : -1;)
CALL(canonicalize_file_name, return strlen(canonicalize_file_name("/usr/../"));)
CALL(unlink, with_file(); return unlink(NAME) * 10 + unlink(NAME);)
CALL(unlinkat, with_file(); return unlinkat(AT_FDCWD, NAME, 0);)
CALL(remove, with_file(); return remove(NAME);)
CALL(mkdir, return mkdir("dir.tmp", 0700) + rmdir("dir.tmp");)
CALL(mkdirat, return mkdirat(AT_FDCWD, "dir.tmp", 0700) + rmdir("dir.tmp");)
CALL(rmdir, return rmdir("nowhere") + errno;)
CALL(mkfifo, return mkfifo("fifo.tmp", 0600) + unlink("fifo.tmp");)
CALL(mkfifoat, return mkfifoat(AT_FDCWD, "fifo.tmp", 0600) + unlink("fifo.tmp");)
CALL(mknod, return mknod("node.tmp", S_IFIFO | 0600, 0) + unlink("node.tmp");)
CALL(mknodat, return mknodat(AT_FDCWD, "node.tmp", S_IFREG | 0600, 0) + unlink("node.tmp");)
CALL(chmod, with_file(); return chmod(NAME, 0600);)
CALL(fchmod, return fchmod(passive_file(), 0600);)
CALL(fchmodat, with_file(); return fchmodat(AT_FDCWD, NAME, 0600, 0);)
CALL(utime, with_file(); return utime(NAME, NULL);)
CALL(utimes, with_file(); return utimes(NAME, NULL);)
CALL(lutimes, with_file(); return lutimes(NAME, NULL);)
CALL(futimes, return futimes(passive_file(), NULL);)
CALL(futimesat, with_file(); return futimesat(AT_FDCWD, NAME, NULL);)
CALL(futimens, return futimens(passive_file(), NULL);)
CALL(utimensat, with_file(); return utimensat(AT_FDCWD, NAME, NULL, 0);)
CALL(chown, with_file(); return chown(NAME, getuid(), getgid());)
CALL(lchown, with_file(); return lchown(NAME, getuid(), getgid());)
CALL(fchown, return fchown(passive_file(), getuid(), getgid());)
CALL(fchownat, with_file(); return fchownat(AT_FDCWD, NAME, getuid(), getgid(), 0);)
CALL(link, with_file(); return link(NAME, "link.tmp") + unlink("link.tmp");)
CALL(linkat, with_file(); return linkat(AT_FDCWD, NAME, AT_FDCWD, "link.tmp", 0) + unlink("link.tmp");)
CALL(symlink, return symlink("a", "link.tmp") + unlink("link.tmp");)
CALL(symlinkat, return symlinkat("a", AT_FDCWD, "link.tmp") + unlink("link.tmp");)
CALL(rename, with_file(); return rename(NAME, "new.tmp") + unlink("new.tmp");)
CALL(renameat, with_file(); return renameat(AT_FDCWD, NAME, AT_FDCWD, "new.tmp") + unlink("new.tmp");)
CALL(renameat2, with_file(); return renameat2(AT_FDCWD, NAME, AT_FDCWD, "new.tmp", 0) + unlink("new.tmp");)
CALL(mkdtemp, char t[] = "dXXXXXX"; return (mkdtemp(t) == t) + rmdir(t);)
CALL(mkstemp, char t[] = "fXXXXXX"; return write(mkstemp(t), "ab", 2) + unlink(t);)
CALL(mkstemp64, char t[] = "fXXXXXX"; return write(mkstemp64(t), "ab", 2) + unlink(t);)
CALL(mkstemps, char t[] = "fXXXXXX.c"; return write(mkstemps(t, 2), "ab", 2) + unlink(t);)
CALL(mkstemps64, char t[] = "fXXXXXX.c"; return write(mkstemps64(t, 2), "ab", 2) + unlink(t);)
CALL(mkostemps, char t[] = "fXXXXXX.c"; return write(mkostemps(t, 2, 0), "ab", 2) + unlink(t);)
CALL(mkostemps64, char t[] = "fXXXXXX.c"; return write(mkostemps64(t, 2, 0), "ab", 2) + unlink(t);)
CALL(mkostemp, char t[] = "fXXXXXX"; return write(mkostemp(t, 0), "ab", 2) + unlink(t);)
CALL(mkostemp64, char t[] = "fXXXXXX"; return write(mkostemp64(t, 0), "ab", 2) + unlink(t);)
CALL(inotify_add_watch, return inotify_add_watch(inotify_init(), ".", IN_CREATE);)

/* what the kernel tells of files */
CALL(stat, struct stat s; with_file(); return size_of(stat(NAME, &s), &s);)
CALL(stat64, struct stat64 s; with_file(); return stat64(NAME, &s) + s.st_size;)
CALL(lstat, struct stat s; with_file(); return size_of(lstat(NAME, &s), &s);)
CALL(lstat64, struct stat64 s; with_file(); return lstat64(NAME, &s) + s.st_size;)
CALL(fstat, struct stat s; return size_of(fstat(passive_file(), &s), &s);)
CALL(fstat64, struct stat64 s; return fstat64(passive_file(), &s) + s.st_size;)
CALL(fstatat, struct stat s; with_file(); return size_of(fstatat(AT_FDCWD, NAME, &s, 0), &s);)
CALL(fstatat64, struct stat64 s; with_file(); return fstatat64(AT_FDCWD, NAME, &s, 0) + s.st_size;)
CALL(__xstat, struct stat s; with_file(); return size_of(__xstat(1, NAME, &s), &s);)
CALL(__lxstat, struct stat s; with_file(); return size_of(__lxstat(1, NAME, &s), &s);)
CALL(__fxstat, struct stat s; return size_of(__fxstat(1, passive_file(), &s), &s);)
CALL(__fxstatat, struct stat s; with_file(); return size_of(__fxstatat(1, AT_FDCWD, NAME, &s, 0), &s);)
CALL(__xstat64, struct stat64 s; with_file(); return __xstat64(1, NAME, &s) + s.st_size;)
CALL(__lxstat64, struct stat64 s; with_file(); return __lxstat64(1, NAME, &s) + s.st_size;)
CALL(__fxstat64, struct stat64 s; return __fxstat64(1, passive_file(), &s) + s.st_size;)
CALL(__fxstatat64, struct stat64 s; with_file(); return __fxstatat64(1, AT_FDCWD, NAME, &s, 0) + s.st_size;)
CALL(statx, struct statx s; with_file(); return statx(AT_FDCWD, NAME, 0, STATX_SIZE, &s) + (long)s.stx_size;)
CALL(statfs, struct statfs s; return statfs(".", &s) + (s.f_bsize > 0);)
CALL(fstatfs, struct statfs s; return fstatfs(passive_file(), &s) + (s.f_bsize > 0);)
CALL(getxattr, with_file(); return getxattr(NAME, "user.none", BUF, 9);)
CALL(lgetxattr, with_file(); return lgetxattr(NAME, "user.none", BUF, 9);)
CALL(fgetxattr, return fgetxattr(passive_file(), "user.none", BUF, 9);)
CALL(listxattr, with_file(); return listxattr(NAME, BUF, 99);)
CALL(llistxattr, with_file(); return llistxattr(NAME, BUF, 99);)
CALL(flistxattr, return flistxattr(passive_file(), BUF, 99);)
CALL(setxattr, with_file(); return setxattr(NAME, "wrong", "a", 1, 0);)
CALL(lsetxattr, with_file(); return lsetxattr(NAME, "wrong", "a", 1, 0);)
CALL(fsetxattr, return fsetxattr(passive_file(), "wrong", "a", 1, 0);)
CALL(removexattr, with_file(); return removexattr(NAME, "wrong");)
CALL(lremovexattr, with_file(); return lremovexattr(NAME, "wrong");)
CALL(fremovexattr, return fremovexattr(passive_file(), "wrong");)

/* directories */
CALL(opendir, return opendir(".") != NULL;)
CALL(readdir, return readdir(opendir(".")) != NULL;)
CALL(readdir64, return readdir64(opendir(".")) != NULL;)
CALL(closedir, return closedir(opendir("."));)
CALL(getdents64, return getdents64(open(".", O_RDONLY), BUF, sizeof BUF) > 0;)
CALL(getcwd, return getcwd(BUF, sizeof BUF) == BUF;)
CALL(__getcwd_chk, return __getcwd_chk(BUF, 99, 4096) == BUF;)
CALL(get_current_dir_name, return get_current_dir_name() != NULL;)
CALL(chdir, return chdir("/") * 10 + chdir("nowhere");)
CALL(fchdir, return fchdir(open("/", O_RDONLY));)
CALL(umask, return umask(077) * 1000 + umask(022);)

/* pipes and waiting for several */
static int full_pipe(void)
{
    int p[2];

    if (pipe(p) != 0 || write(p[1], "abc", 3) != 3)
        return -1;
    return p[0];
}

CALL(pipe, return read(full_pipe(), BUF, 9);)
CALL(pipe2, int p[2]; return pipe2(p, O_NONBLOCK) * 10 + read(p[0], BUF, 9);)
CALL(poll, struct pollfd p = { full_pipe(), POLLIN, 0 }; return poll(&p, 1, -1);)
CALL(ppoll, struct pollfd p = { full_pipe(), POLLIN, 0 }; return ppoll(&p, 1, NULL, NULL);)
CALL(select, fd_set s; int fd = full_pipe(); FD_ZERO(&s); FD_SET(fd, &s); return select(fd + 1, &s, NULL, NULL, NULL);)
CALL(pselect, fd_set s; int fd = full_pipe(); FD_ZERO(&s); FD_SET(fd, &s);
     return pselect(fd + 1, &s, NULL, NULL, NULL, NULL);)
static int ready_epoll(void)
{
    struct epoll_event v = { .events = EPOLLIN };
    int e = epoll_create1(0);

    epoll_ctl(e, EPOLL_CTL_ADD, full_pipe(), &v);
    return e;
}
CALL(epoll_create, return epoll_create(1) > 0;)
CALL(epoll_create1, return epoll_create1(0) > 0;)
CALL(epoll_ctl, struct epoll_event v = { .events = EPOLLIN }; return epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, full_pipe(), &v);)
CALL(epoll_wait, struct epoll_event v; return epoll_wait(ready_epoll(), &v, 1, -1);)
CALL(epoll_pwait, struct epoll_event v; return epoll_pwait(ready_epoll(), &v, 1, -1, NULL);)
CALL(epoll_pwait2, struct epoll_event v; return epoll_pwait2(ready_epoll(), &v, 1, NULL, NULL);)
CALL(eventfd, return read(eventfd(3, 0), BUF, 8) + BUF[0];)
CALL(eventfd_read, eventfd_t v = 0; return eventfd_read(eventfd(3, 0), &v) + (long)v;)
CALL(eventfd_write, return eventfd_write(eventfd(3, 0), 4);)
CALL(splice, int p[2]; return pipe(p) + splice(full_pipe(), NULL, p[1], NULL, 9, 0);)
CALL(tee, int p[2]; return pipe(p) + tee(full_pipe(), p[1], 9, 0);)
CALL(vmsplice, int p[2]; struct iovec v = { BUF, 5 }; return pipe(p) + vmsplice(p[1], &v, 1, 0);)
CALL(timerfd_create, return timerfd_create(CLOCK_MONOTONIC, 0) > 0;)
CALL(timerfd_settime, struct itimerspec t = { .it_value = { 0, 1000 } }; int fd = timerfd_create(CLOCK_MONOTONIC, 0);
     return timerfd_settime(fd, 0, &t, NULL) + read(fd, BUF, 8);)
CALL(timerfd_gettime, struct itimerspec t; return timerfd_gettime(timerfd_create(CLOCK_MONOTONIC, 0), &t) + t.it_value.tv_nsec;)
