/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fifo.c - opens a FIFO.  The real call waits until the other end is opened; waiting in the kernel would block all
 * fibers, including the one that opens the other end.  So the runtime opens the FIFO without blocking: the read
 * end can be opened at once, and a read then shows whether there is a writer; the write end can be opened once
 * there is a reader.  Until then the thread polls, as for all input that may come from outside (io_wait.h, W3). */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/io.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"

/* True if path is a pipe that is opened through /proc.  Opening it does not wait. */
static bool is_pipe(int dir, const char *path)
{
    static struct statfs s;
    long fd = hd_sys6(SYS_openat, dir, (long)path, O_PATH | O_CLOEXEC, 0, 0, 0);
    bool is = fd >= 0 && hd_sys(SYS_fstatfs, fd, &s, 0) == 0 && s.f_type == PIPEFS_MAGIC;

    if (fd >= 0)
        hd_sys(SYS_close, fd, 0, 0);
    return is;
}

bool hd_fifo_blocks(int dir, const char *path, int flags)
{
    static struct stat s;
    int mode = flags & O_ACCMODE;

    return (mode == O_RDONLY || mode == O_WRONLY) && (flags & (O_NONBLOCK | O_PATH)) == 0 &&
           hd_sys6(SYS_newfstatat, dir, (long)path, (long)&s, 0, 0, 0) == 0 && S_ISFIFO(s.st_mode) &&
           !is_pipe(dir, path);
}

/* True if the FIFO has a writer.  A read from an empty FIFO returns 0 without writers and EAGAIN
 * with writers. */
static bool has_writer(long fd)
{
    char byte;

    return hd_io_is_ready((int)fd, POLLIN) || hd_sys(SYS_read, fd, &byte, 1) == -EAGAIN;
}

static void await_writer(long fd, uint64_t pc)
{
    hd_io_attempt(pc);
    while (!has_writer(fd)) {
        hd_io_retry(pc);
        hd_io_attempt(pc);
    }
    hd_io_end(true, 0);
}

int hd_fifo_open(int dir, const char *path, int flags, uint64_t pc)
{
    long fd;

    hd_io_descriptor();
    hd_io_attempt(pc);
    while ((fd = hd_sys6(SYS_openat, dir, (long)path, flags | O_NONBLOCK, 0, 0, 0)) == -ENXIO) {
        hd_io_retry(pc);
        hd_io_attempt(pc);
    }
    hd_files_opened((int)fd);
    hd_io_end(true, fd);
    hd_state_also(true, HD_STATE_DESCRIPTORS, true, pc);
    if (fd < 0) {
        errno = (int)-fd;
        return -1;
    }
    if ((flags & O_ACCMODE) == O_RDONLY)
        await_writer(fd, pc);
    hd_sys(SYS_fcntl, fd, F_SETFL, flags & ~O_NONBLOCK);
    return (int)fd;
}
