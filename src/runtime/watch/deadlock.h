/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - threads that wait for each other. */
#ifndef HD_RUNTIME_WATCH_DEADLOCK_H
#define HD_RUNTIME_WATCH_DEADLOCK_H

#include <stdbool.h>

/* Reports a wait-for cycle among some threads while others can run, if there is one and nothing has failed yet.
 * Call it when a cycle may have closed, from time to time, and with `last` before the process ends or the
 * execution is given up.  After a report the execution counts as failed and continues.  A normal mutex may be
 * unlocked by a thread that does not hold it (a misuse, but not a deadlock), so a cycle with such a mutex is
 * reported only with `last`. */
void hd_deadlock_partial(bool last);

/* True if some thread waits in a cycle. */
bool hd_deadlock_in_cycle(void);

#endif
