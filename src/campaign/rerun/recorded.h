/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recorded.h - prepares a saved finding for another run: the common part of replay, report,
 * minimize and suppress. */
#ifndef HD_CAMPAIGN_RERUN_RECORDED_H
#define HD_CAMPAIGN_RERUN_RECORDED_H

#include "campaign/session/session.h"
#include "model/schedule.h"

struct hd_recorded {
    char file[4096];
    char program[8192];
    struct hd_schedule schedule;
    char **argv; /* arguments of the target */
};

/* Reads the schedule that the first argument names (a path or an id); without argument, the newest
 * one.  Returns false, after a message, on failure.  The caller frees r in either case. */
bool hd_recorded_read(struct hd_recorded *r, const struct hd_options *o);

/* Opens a session that will run the schedule.  Returns HD_EXIT_CLEAN, or another exit code after a
 * message.  The caller closes the session in either case. */
int hd_recorded_open(struct hd_recorded *r, struct hd_session *s, const struct hd_options *o);

/* Returns the finding of the last execution for which the schedule was saved.  If none has the same
 * message, returns the first one of the same kind.  Returns NULL if there is none. */
const struct hd_finding *hd_recorded_find(struct hd_session *s, const struct hd_schedule *sch);

void hd_recorded_free(struct hd_recorded *r);

#endif
