/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loopback.h - connections of a program with itself.
 *
 * A TCP connection over the loopback interface is machine-wide state: other processes share its
 * ports, ports stay in use after the end, and the kernel decides when data arrives.  So executions
 * would not be repeatable, and two workers could not listen at the same time.  A stream socket that
 * is bound or connected to the loopback address (or bound to any address) therefore becomes an
 * AF_UNIX socket: data has arrived when the sending call returns, and its abstract name, made of
 * process and port, is unique.
 *
 * L1  The target sees addresses of the family that it asked for.  They are encoded in the abstract names, so no table
 *     is needed.
 * L2  Only the program itself can be reached.  A connection that no socket of the program accepts
 *     is refused, even if another process listens on that port. */
#ifndef HD_RUNTIME_KERNEL_LOOPBACK_H
#define HD_RUNTIME_KERNEL_LOOPBACK_H

#include <stdbool.h>
#include <sys/socket.h>

/* True if fd must become an AF_UNIX socket when it is bound or connected to that address. */
bool hd_loopback_reaches(int fd, const struct sockaddr *a, socklen_t n);

/* Like the system calls.  Return 0 or -errno. */
long hd_loopback_bind(int fd, const struct sockaddr *a);
long hd_loopback_connect(int fd, const struct sockaddr *a);

/* Makes the forks of this process use its names from now on, because they continue to use its sockets. */
void hd_loopback_keep_names(void);

/* True if fd is an AF_UNIX socket that replaces a TCP socket. */
bool hd_loopback_has(int fd);

/* Writes the address of fd or of its peer to *a, truncated to *n bytes.  Returns false if there is
 * none. */
bool hd_loopback_address(int fd, bool peer, struct sockaddr *a, socklen_t *n);

#endif
