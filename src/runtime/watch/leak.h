/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak.h - blocks that are lost in some executions and not in others. */
#ifndef HD_RUNTIME_WATCH_LEAK_H
#define HD_RUNTIME_WATCH_LEAK_H

/* Called when an execution is over, before its memory is restored. */
void hd_leak_look(void);

#endif
