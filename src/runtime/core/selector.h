/* SPDX-License-Identifier: BSD-2-Clause
 *
 * selector.h - the switch that makes the kernel trap system calls outside of the runtime
 * (hooks/dispatch.h, E1-E3). */
#ifndef HD_RUNTIME_CORE_SELECTOR_H
#define HD_RUNTIME_CORE_SELECTOR_H

enum { HD_OPEN = 0, HD_CLOSED = 1 };

/* The kernel reads this byte at every system call.  HD_CLOSED: calls from outside of the runtime
 * trap. */
extern volatile unsigned char hd_selector __attribute__((visibility("hidden")));

#endif
