/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crash.h - fatal signals: pages that become hot, and crashes of the target. */
#ifndef HD_RUNTIME_CRASH_H
#define HD_RUNTIME_CRASH_H

#include <stdbool.h>

void hd_crash_init(void);
/* Is it a signal whose handler must stay ours? */
bool hd_crash_owns(int signal);

#endif
