/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_io.h - what the I/O families share. */
#ifndef HD_RUNTIME_INTERCEPT_IO_H
#define HD_RUNTIME_INTERCEPT_IO_H

#include "runtime/rt.h"

/* The kernel is about to write n bytes at p (nothing happens when p is NULL, or
 * the caller is no controlled thread). */
void hd_io_writes(volatile void *p, size_t n);

/* A controlled thread opens, closes or copies a descriptor. */
static inline void hd_io_descriptor(void)
{
    if (hd.cur != NULL)
        hd.io_used = 1;
}

/* Let the others go until fd is ready for events (POLLIN, POLLOUT), unless it is
 * non-blocking, or standard input, whose other end is outside. */
void hd_io_wait_ready(int fd, short events, uint64_t pc);

#endif
