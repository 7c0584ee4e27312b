/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crash.h - installs the handler of fatal signals, which makes protected pages writable and reports
 * crashes of the target. */
#ifndef HD_RUNTIME_WORKER_CRASH_H
#define HD_RUNTIME_WORKER_CRASH_H

void hd_crash_init(void);

#endif
