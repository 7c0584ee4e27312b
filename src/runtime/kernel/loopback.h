/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loopback.h - connections of a program with itself.
 *
 * A TCP connection over the loopback interface belongs to the machine: its ports are
 * everybody's and stay in use after the end, and when data arrives is the kernel's
 * business.  So nothing could be repeated, and no two workers could listen at once.  A
 * stream socket that is bound or connected to the loopback address (or bound to any) becomes
 * a socket of the AF_UNIX family: data is there when the call that sent it returns, and its
 * abstract name, which holds process and port, is nobody else's.
 *
 * L1  The target sees addresses of the family that it asked for.  They are in the names, so
 *     there is no table that could be out of date.
 * L2  Only the program itself can be reached.  A connection that nobody accepts there is
 *     refused, whoever else may listen on the machine. */
#ifndef HD_RUNTIME_KERNEL_LOOPBACK_H
#define HD_RUNTIME_KERNEL_LOOPBACK_H

#include <stdbool.h>
#include <sys/socket.h>

/* Is fd to be bound or connected to that address in this way? */
bool hd_loopback_reaches(int fd, const struct sockaddr *a, socklen_t n);

/* The calls of that name; 0, or -errno. */
long hd_loopback_bind(int fd, const struct sockaddr *a);
long hd_loopback_connect(int fd, const struct sockaddr *a);

/* Is fd such a socket? */
bool hd_loopback_has(int fd);

/* Its own address, or that of the other end, into *a as far as it goes.  False: it has none. */
bool hd_loopback_address(int fd, bool peer, struct sockaddr *a, socklen_t *n);

#endif
