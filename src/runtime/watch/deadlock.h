/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.h - threads that wait for each other. */
#ifndef HD_RUNTIME_WATCH_DEADLOCK_H
#define HD_RUNTIME_WATCH_DEADLOCK_H

#include "runtime/core/rt.h"

/* Report a cycle of threads that wait for each other while others can run on, if there is
 * one and nothing has failed: as soon as it closes, now and then, and (last) before the
 * process ends or the execution is given up.  The execution has failed then, and goes on.
 * A mutex of the normal kind may be unlocked by a thread that does not hold it, which is
 * misuse and no deadlock: a cycle with one is reported in the last case only. */
void hd_deadlock_partial(bool last);

/* Nobody can run any more. */
void hd_deadlock_total(void);

/* Is there a thread that waits for ever in a cycle? */
bool hd_deadlock_in_cycle(void);

#endif
