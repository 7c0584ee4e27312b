/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - threads that wait for each other. */
#ifndef HD_RUNTIME_DEADLOCK_H
#define HD_RUNTIME_DEADLOCK_H

#include "runtime/rt.h"

/* Report a cycle of threads that wait for each other while others can run on, if there is
 * one and nothing has failed: as soon as it closes, now and then, and before the process
 * ends.  The execution has failed then, and goes on. */
void hd_deadlock_partial(void);

/* Nobody can run any more. */
void hd_deadlock_total(void);

/* Is there a thread that waits for ever in a cycle? */
bool hd_deadlock_in_cycle(void);

#endif
