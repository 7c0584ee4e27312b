/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - the race detector (detect/race.h) inside the target. */
#ifndef HD_RUNTIME_WATCH_RACE_H
#define HD_RUNTIME_WATCH_RACE_H

#include "runtime/core/rt.h"

/* Call it once in each process that runs executions. */
void hd_race_start(void);
/* Every access between these two calls, at the beginning and the end of an execution, is checked. */
void hd_race_begin(void);
void hd_race_end(void);
/* The program loads a library, which may have been compiled for another standard. */
void hd_race_loads(void);

/* The worker is gone.  Returns true if its execution is to be run again instead of being reported. */
bool hd_race_again(void);

#endif
