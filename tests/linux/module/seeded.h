/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seeded.h - the calls of /dev/seeded, for the module and for tests. */
#ifndef SEEDED_H
#define SEEDED_H

#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

#define SEEDED_FIXED _IO('h', 1)    /* 1: without the mistakes */
#define SEEDED_RESET _IO('h', 2)    /* the state before a test */
#define SEEDED_WATCH _IO('h', 3)    /* adds a watch; returns its number */
#define SEEDED_UNWATCH _IO('h', 4)  /* removes the watch with this number */
#define SEEDED_UNMOUNT _IO('h', 5)  /* removes all watches */
#define SEEDED_MOVE _IO('h', 6)     /* moves so many from the first account to the second one */
#define SEEDED_CONNECT _IO('h', 7)  /* connects the socket: 0, or EISCONN */
#define SEEDED_APPEND _IO('h', 8)   /* makes the file longer by this */
#define SEEDED_SIZE _IO('h', 9)     /* returns how long it is */
#define SEEDED_SUBMIT _IO('h', 10)  /* starts a request; an odd number fails */
#define SEEDED_CANCEL _IO('h', 11)  /* gives up the request that was started */
#define SEEDED_POST _IO('h', 12)    /* lets one caller of SEEDED_TAKE go on */
#define SEEDED_TAKE _IO('h', 13)    /* waits for SEEDED_POST */
#define SEEDED_BOTH _IO('h', 14)    /* takes two locks; 0 or 1: in which order */

#endif
