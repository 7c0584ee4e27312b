/* SPDX-License-Identifier: BSD-2-Clause
 *
 * startup_error.h - reports targets that did not start or ended prematurely. */
#ifndef HD_CAMPAIGN_SESSION_STARTUP_ERROR_H
#define HD_CAMPAIGN_SESSION_STARTUP_ERROR_H

#include "campaign/session/session.h"

/* Message of the finding if the program has overwritten Heddle's memory (HD_WATCH_DAMAGED). */
#define HD_DAMAGED \
    "the program has overwritten Heddle's own memory, by a write outside of all objects; the place of the write " \
    "is not known"

/* Reports an abnormal end of a target and stores it in s->error.  Call after the targets have
 * ended.  Returns HD_EXIT_CLEAN if there is a result, otherwise the exit code. */
int hd_startup_error(struct hd_session *s);

/* True if the recorded finding is the loss of the process. */
bool hd_ending_is_loss(const struct hd_schedule *sch);

/* True if the target ended in the way that the replayed schedule has recorded as its finding. */
bool hd_ending_is_recorded(const struct hd_session *s);

#endif
