/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leak.h - blocks that are lost in some executions and not in others. */
#ifndef HD_RUNTIME_WATCH_LEAK_H
#define HD_RUNTIME_WATCH_LEAK_H

/* An execution is over, its memory still as it was. */
void hd_leak_look(void);

#endif
