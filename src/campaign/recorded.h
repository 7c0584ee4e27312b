/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recorded.h - a saved finding, ready to be run again: the common part of replay, report,
 * minimize and suppress. */
#ifndef HD_CAMPAIGN_RECORDED_H
#define HD_CAMPAIGN_RECORDED_H

#include "campaign/session.h"
#include "model/schedule.h"

struct hd_recorded {
    char file[4096];
    char program[8192];
    struct hd_schedule schedule;
    char **argv; /* arguments of the target */
};

/* Read the schedule that the first argument names (a path, an id, or none: the newest one).
 * False after a message.  The caller frees r in either case. */
bool hd_recorded_read(struct hd_recorded *r, const struct hd_options *o);

/* Open a session that will run it.  Returns HD_EXIT_CLEAN, or another exit code after a
 * message; the caller closes the session in either case. */
int hd_recorded_open(struct hd_recorded *r, struct hd_session *s, const struct hd_options *o);

/* The finding of the execution that just ran for which the schedule was saved (an execution
 * may have several of a kind).  NULL if there is none. */
const struct hd_finding *hd_recorded_find(struct hd_session *s, const struct hd_schedule *sch);

/* Is the program below the current directory, so that a schedule may name it? */
bool hd_recorded_is_inside(const char *program);

void hd_recorded_free(struct hd_recorded *r);

#endif
