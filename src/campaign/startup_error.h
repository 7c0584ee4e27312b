/* SPDX-License-Identifier: BSD-2-Clause
 *
 * startup_error.h - targets that did not run, or ended before they were done. */
#ifndef HD_CAMPAIGN_STARTUP_ERROR_H
#define HD_CAMPAIGN_STARTUP_ERROR_H

#include "campaign/session.h"

/* The targets have ended: when that is not what it should be, say so and keep it in
 * s->error.  Returns HD_EXIT_CLEAN when there is a result, else the exit code. */
int hd_startup_error(struct hd_session *s);

/* Is it the finding that the process of an execution was lost? */
bool hd_ending_is_loss(const struct hd_schedule *sch);

/* The program ended as a whole, as it did in the schedule that is replayed. */
bool hd_ending_is_recorded(const struct hd_session *s);

#endif
