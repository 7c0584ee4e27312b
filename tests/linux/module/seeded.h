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
#define SEEDED_ARM _IO('h', 15)     /* the handler runs with the timer's next interrupt, and counts 1 */
#define SEEDED_ADD _IO('h', 16)     /* counts 1 */
#define SEEDED_TOTAL _IO('h', 17)   /* returns what was counted too little */
#define SEEDED_SET _IO('h', 18)     /* replaces the setting */
#define SEEDED_GET _IO('h', 19)     /* returns the setting */
#define SEEDED_NAME _IO('h', 20)    /* makes the object, with one reference */
#define SEEDED_DROP _IO('h', 21)    /* drops that reference */
#define SEEDED_USE _IO('h', 22)     /* finds the object, uses it, and drops the new reference */

#define SEEDED_OBJECT 77 /* the value of the object */

#endif
