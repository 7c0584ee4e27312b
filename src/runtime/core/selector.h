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
/* Value of the selector while a function of libc runs (real.h): HD_OPEN, or HD_CLOSED if the runtime must see the
 * function's system calls. */
extern unsigned char hd_selector_of_libc __attribute__((visibility("hidden")));

#endif
