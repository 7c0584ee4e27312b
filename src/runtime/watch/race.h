/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - the race detector (detect/race.h) inside the target. */
#ifndef HD_RUNTIME_WATCH_RACE_H
#define HD_RUNTIME_WATCH_RACE_H

#include "runtime/core/rt.h"

/* Once in each process that runs executions. */
void hd_race_start(void);
/* An execution begins, is over: in between every access is checked. */
void hd_race_begin(void);
void hd_race_end(void);
/* The program loads a library, which may have been compiled for another standard. */
void hd_race_loads(void);

/* The worker is gone.  True: what it ran is not to be judged, but begun again. */
bool hd_race_again(void);

#endif
