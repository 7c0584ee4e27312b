/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io.h - shared by the I/O families. */
#ifndef HD_RUNTIME_CALLS_IO_H
#define HD_RUNTIME_CALLS_IO_H

#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/core/state.h"
#include "runtime/hooks/range.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/restore/process.h"

/* Call this before the kernel writes n bytes at p: makes the pages writable.  Does nothing if p is
 * NULL or the caller is not a controlled thread. */
void hd_io_writes(volatile void *p, size_t n);
void hd_io_vector_writes(const struct iovec *v, int n);

/* Notes that a call has written `bytes` bytes at p (hooks/range.h).  Call after hd_io_end.  A
 * negative number is the result of a failed call. */
static inline void hd_io_wrote(const void *p, ssize_t bytes, uint64_t pc)
{
    if (hd.cur != NULL && bytes > 0)
        hd_range_of_call(p, (size_t)bytes, true, pc);
}
/* Notes that a call has read or written the first `bytes` of these buffers (hooks/range.h).  Does
 * nothing if bytes is negative, which is a failed call. */
void hd_io_vector_accessed(const struct iovec *v, int n, ssize_t bytes, bool write, uint64_t pc);

/* Like hd_io_writes, for a socket address and its length.  Either may be NULL. */
static inline void hd_io_writes_address(struct sockaddr *a, socklen_t *len)
{
    if (a == NULL || len == NULL)
        return;
    hd_io_writes(a, *len);
    hd_io_writes(len, sizeof *len);
}

/* Notes that a controlled thread opens, closes or copies a descriptor. */
static inline void hd_io_descriptor(void)
{
    if (hd.cur != NULL)
        hd_changes.io = 1;
}

/* Begins a call on a descriptor.  The call is a visible operation unless no other thread can interact with it.  If
 * the other end of fd may be in this program (a pipe, socket, eventfd …), `waits` is true and the call would block,
 * other threads run until fd is ready for events (POLLIN, POLLOUT).  For an ordinary file, events says whether the
 * call reads or writes at the file position (0: neither).
 *
 * Returns true if an operation has begun.  In both cases the caller makes the call now and passes the returned
 * value and the result to hd_io_end. */
bool hd_io_begin(int fd, short events, bool waits, uint64_t pc);
void hd_io_end(bool begun, long result);
/* Like hd_io_begin, for a call that may fail with EINTR.  If the wait was interrupted, sets *ended
 * and errno; no operation has begun then and the caller must not make the call. */
bool hd_io_begin_ends(int fd, short events, bool waits, bool *ended, uint64_t pc);

/* hd_fifo_blocks returns true if opening path would wait until another thread opens the other end
 * of a FIFO. hd_fifo_open opens such a FIFO and lets other threads run while it waits.  It returns
 * the descriptor, or -1 with errno set. */
bool hd_fifo_blocks(int dir, const char *path, int flags);
int hd_fifo_open(int dir, const char *path, int flags, uint64_t pc);

/* True if a file has been locked in this execution.  Closing a file may then release a lock. */
bool hd_io_files_are_locked(void);

/* Call hd_stdio_init before the first execution, and hd_stdio_begin when an execution begins. */
void hd_stdio_init(void);
void hd_stdio_begin(void);

#endif
