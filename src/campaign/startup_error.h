/* SPDX-License-Identifier: BSD-2-Clause
 *
 * startup_error.h - targets that did not run or ended prematurely. */
#ifndef HD_CAMPAIGN_STARTUP_ERROR_H
#define HD_CAMPAIGN_STARTUP_ERROR_H

#include "campaign/session.h"

/* The targets have ended: report an abnormal end and store it in s->error.  Returns
 * HD_EXIT_CLEAN if there is a result, otherwise the exit code. */
int hd_startup_error(struct hd_session *s);

/* Is the recorded finding the loss of the process? */
bool hd_ending_is_loss(const struct hd_schedule *sch);

/* Did the whole process end as in the schedule that is replayed? */
bool hd_ending_is_recorded(const struct hd_session *s);

#endif
