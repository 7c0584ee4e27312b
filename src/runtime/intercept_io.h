/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_io.h - what the I/O families share. */
#ifndef HD_RUNTIME_INTERCEPT_IO_H
#define HD_RUNTIME_INTERCEPT_IO_H

#include "runtime/io_wait.h"

/* The kernel is about to write n bytes at p (nothing happens when p is NULL, or
 * the caller is no controlled thread). */
void hd_io_writes(volatile void *p, size_t n);

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

/* Before the first execution. */
void hd_stdio_init(void);

#endif
