/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clock.h - the timers of the pool: a heap of alarms, and a thread that waits for the next one to expire. */
#ifndef HEDDLE_ACTOR_CLOCK_H
#define HEDDLE_ACTOR_CLOCK_H

#include "actor/cell.h"

void ha_clock_arm(struct heddle_alarm_ *a);
/* Stops the alarm and returns its message; null if it has expired. */
heddle_message *ha_clock_disarm(struct heddle_alarm_ *a, uint64_t life);
/* Ends the thread and drops all alarms. */
void ha_clock_stop(void);

#endif
