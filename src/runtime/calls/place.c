/* SPDX-License-Identifier: BSD-2-Clause
 *
 * place.c - calls that read or write a file at a given place, and so have nothing to
 * do with the position of the open file: they meet others in the contents only (files.h). */
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/real.h"
#include "runtime/kernel/files.h"

/* The body of an interposer of a call that reads or writes a file at a given place. */
#define AT_PLACE(type, fd, kind, call)                             \
    if (hd.cur == NULL)                                            \
        return call;                                               \
    bool begun = hd_files_contents_begin(kind, fd, HD_PC);                  \
    type result = call;                                            \
                                                                   \
    hd_shared_end(begun, result < 0);                              \
    hd_files_contents_flow(begun && result >= 0, hd_files_contents(fd), \
                           kind == HD_EV_STATE_WRITE, HD_PC);      \
    return result

/* The same of a cancellation point. */
#define MOVE(fd, kind, call)                                       \
    hd_cancel_point();                                             \
    AT_PLACE(ssize_t, fd, kind, call)

HD_EXPORT ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
    hd_io_writes(buf, n);
    MOVE(fd, HD_EV_STATE_READ, HD_REAL(pread)(fd, buf, n, at));
}

HD_EXPORT ssize_t pread64(int fd, void *buf, size_t n, off64_t at)
{
    hd_io_writes(buf, n);
    MOVE(fd, HD_EV_STATE_READ, HD_REAL(pread64)(fd, buf, n, at));
}

HD_EXPORT ssize_t preadv(int fd, const struct iovec *v, int n, off_t at)
{
    hd_io_vector_writes(v, n);
    MOVE(fd, HD_EV_STATE_READ, HD_REAL(preadv)(fd, v, n, at));
}

HD_EXPORT ssize_t preadv64(int fd, const struct iovec *v, int n, off64_t at)
{
    hd_io_vector_writes(v, n);
    MOVE(fd, HD_EV_STATE_READ, HD_REAL(preadv64)(fd, v, n, at));
}

HD_EXPORT ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
    MOVE(fd, HD_EV_STATE_WRITE, HD_REAL(pwrite)(fd, buf, n, at));
}

HD_EXPORT ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t at)
{
    MOVE(fd, HD_EV_STATE_WRITE, HD_REAL(pwrite64)(fd, buf, n, at));
}

HD_EXPORT ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at)
{
    MOVE(fd, HD_EV_STATE_WRITE, HD_REAL(pwritev)(fd, v, n, at));
}

HD_EXPORT ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t at)
{
    MOVE(fd, HD_EV_STATE_WRITE, HD_REAL(pwritev64)(fd, v, n, at));
}

HD_EXPORT int ftruncate(int fd, off_t n)
{
    AT_PLACE(int, fd, HD_EV_STATE_WRITE, HD_REAL(ftruncate)(fd, n));
}

HD_EXPORT int ftruncate64(int fd, off64_t n)
{
    AT_PLACE(int, fd, HD_EV_STATE_WRITE, HD_REAL(ftruncate64)(fd, n));
}
