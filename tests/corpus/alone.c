/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alone - calls that Heddle intercepts, in a program that runs without Heddle.
 *
 * Claim: they behave as in libc.  True. */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static char buffer[64];

static void positions(int fd)
{
    struct iovec part = { buffer, 3 };

    assert(pwrite(fd, "hello", 5, 0) == 5);
    assert(pread(fd, buffer, 3, 2) == 3 && buffer[0] == 'l');
    assert(preadv(fd, &part, 1, 0) == 3 && buffer[0] == 'h');
    assert(pwritev(fd, &part, 1, 5) == 3);
    assert(lseek(fd, 0, SEEK_SET) == 0);
    assert(readv(fd, &part, 1) == 3);
    assert(writev(fd, &part, 1) == 3);
}

static void sizes(int fd)
{
    struct stat status;
    struct statvfs system;

    assert(fstat(fd, &status) == 0 && status.st_size == 8);
    assert(ftruncate(fd, 4) == 0);
    assert(fstat(fd, &status) == 0 && status.st_size == 4);
    assert(fallocate(fd, 0, 0, 10) == 0);
    assert(fstatvfs(fd, &system) == 0);
    assert(fchmod(fd, 0600) == 0);
    assert(flock(fd, LOCK_EX) == 0 && flock(fd, LOCK_UN) == 0);
    assert(fstat(0, &status) == 0);
}

static void mapping(int fd)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    assert(memory != MAP_FAILED);
    assert(msync(memory, 4096, MS_SYNC) == 0);
    memory = mremap(memory, 4096, 8192, MREMAP_MAYMOVE);
    assert(memory != MAP_FAILED);
    assert(munmap(memory, 8192) == 0);
}

int main(void)
{
    FILE *file = tmpfile();
    int fd = fileno(file);

    positions(fd);
    sizes(fd);
    mapping(fd);
    assert(sendfile(fd, fd, NULL, 0) <= 0);
    fclose(file);
    return 0;
}
