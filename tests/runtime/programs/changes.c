/* SPDX-License-Identifier: BSD-2-Clause
 *
 * changes.c - one way to change a file, a name or what belongs to it, by its number; fails when the
 * execution before has left something.  The directory `here` has the file `a`, and no `n`.  SHM_NAME
 * is a name that nothing else on the machine uses. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#define A "here/a"
#define N "here/n"

static void *body(void *arg)
{
    return arg;
}

static void as_before(void)
{
    struct stat s;
    char value[8];

    assert(access(N, F_OK) != 0 && stat(A, &s) == 0);
    assert(s.st_mode == 0100644 && s.st_size == 2 && s.st_mtime == 1000000000 && s.st_nlink == 1);
    assert(s.st_uid == getuid() && getxattr(A, "user.new", value, sizeof value) < 0);
    assert(shm_open(SHM_NAME, O_RDWR, 0600) < 0);
}

static void by_name(int way)
{
    struct timespec now[2] = { { 5, 0 }, { 5, 0 } };
    struct utimbuf then = { 6, 6 };

    switch (way) {
    case 0: renameat2(AT_FDCWD, A, AT_FDCWD, N, 0); break;
    case 1: mkdirat(AT_FDCWD, N, 0700); break;
    case 2: linkat(AT_FDCWD, A, AT_FDCWD, N, 0); break;
    case 3: fchmodat(AT_FDCWD, A, 0600, 0); break;
    case 4: mknod(N, S_IFREG | 0600, 0); break;
    case 5: mknodat(AT_FDCWD, N, S_IFIFO | 0600, 0); break;
    case 6: mkfifoat(AT_FDCWD, N, 0600); break;
    case 7: unlink(A); break;
    case 8: utimensat(AT_FDCWD, A, now, 0); break;
    case 9: utime(A, &then); break;
    case 10: setxattr(A, "user.new", "x", 1, 0); break;
    case 11: (void)!chown(A, getuid() == 0 ? 1 : getuid(), -1); break;
    case 12: creat(N, 0600); renameat2(AT_FDCWD, A, AT_FDCWD, N, RENAME_EXCHANGE); break;
    case 13: rename("here", "there"); break;
    case 14: (void)!truncate(A, 100); break;
    case 15: close(mkstemp(strdup("here/nXXXXXX"))); break;
    default: break;
    }
}

static void by_descriptor(int way)
{
    struct timespec now[2] = { { 5, 0 }, { 5, 0 } };
    struct sockaddr_un address = { AF_UNIX, N };
    int fd = open(A, O_RDONLY);

    switch (way) {
    case 16: fchmod(fd, 0600); break;
    case 17: futimens(fd, now); break;
    case 18: fsetxattr(fd, "user.new", "x", 1, 0); break;
    case 19: (void)!fchown(fd, getuid() == 0 ? 1 : getuid(), -1); break;
    case 20: bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address); break;
    case 21: (void)!write(shm_open(SHM_NAME, O_RDWR | O_CREAT, 0600), "x", 1); break;
    case 22: (void)!write(open(A, O_WRONLY), "changed", 7); break;
    case 23: (void)!ftruncate(open(A, O_WRONLY), 1); break;
    default: break;
    }
}

int main(int argc, char **argv)
{
    pthread_t t;

    as_before();
    pthread_create(&t, NULL, body, NULL);
    by_name(argc > 1 ? atoi(argv[1]) : 0);
    by_descriptor(argc > 1 ? atoi(argv[1]) : 0);
    pthread_join(t, NULL);
    return 0;
}
