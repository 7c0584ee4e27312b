/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io.h - what the I/O families share. */
#ifndef HD_RUNTIME_CALLS_IO_H
#define HD_RUNTIME_CALLS_IO_H

#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/kernel/io_wait.h"

/* The kernel is about to write n bytes at p (nothing happens when p is NULL, or
 * the caller is no controlled thread). */
void hd_io_writes(volatile void *p, size_t n);
void hd_io_vector_writes(const struct iovec *v, int n);

/* The same of an address, both of whose parts may be NULL. */
static inline void hd_io_writes_address(struct sockaddr *a, socklen_t *len)
{
    if (a == NULL || len == NULL)
        return;
    hd_io_writes(a, *len);
    hd_io_writes(len, sizeof *len);
}

/* A controlled thread opens, closes or copies a descriptor. */
static inline void hd_io_descriptor(void)
{
    if (hd.cur != NULL)
        hd.io_used = 1;
}

/* A call on a descriptor, a visible operation unless nobody can be met there.  When its
 * other end may be in this program (a pipe, socket, eventfd …), it would block, and waits
 * is true, the others go first until it is ready for events (POLLIN, POLLOUT).  Of an
 * ordinary file, events say whether the call reads or writes at its position (0: neither).
 * True: make the call now, and then hd_io_end with its result. */
bool hd_io_begin(int fd, short events, bool waits, uint64_t pc);
void hd_io_end(bool begun, long result);
/* The same of a call that EINTR may end: then errno is set, and nothing has begun. */
bool hd_io_begin_ends(int fd, short events, bool waits, bool *ended, uint64_t pc);

/* To open this waits until the other end of a FIFO is opened; do so, without stopping others. */
bool hd_fifo_blocks(int dir, const char *path, int flags);
int hd_fifo_open(int dir, const char *path, int flags, uint64_t pc);

/* In this execution files have been locked: to close one may give a lock back. */
bool hd_io_files_are_locked(void);

/* Before the first execution. */
void hd_stdio_init(void);

#endif
