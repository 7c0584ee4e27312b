/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recorded.h - a finding that was kept, ready to be run again: what replay and suppress
 * have in common. */
#ifndef HD_CAMPAIGN_RECORDED_H
#define HD_CAMPAIGN_RECORDED_H

#include "campaign/session.h"
#include "model/schedule.h"

struct hd_recorded {
    char file[4096];
    char program[8192];
    struct hd_schedule schedule;
    char **argv; /* of the target */
};

/* The schedule that the first argument names (a path, an id, or none: the newest one).
 * False after having said why not.  To be freed in either case. */
bool hd_recorded_read(struct hd_recorded *r, const struct hd_options *o);

/* A session that will run it.  Returns HD_EXIT_CLEAN, or the exit code after having said
 * why not; to be closed in either case. */
int hd_recorded_open(struct hd_recorded *r, struct hd_session *s, const struct hd_options *o);

/* The finding of the execution that just ran for which the schedule was kept: it may have
 * several of a kind.  NULL when it has none. */
const struct hd_finding *hd_recorded_find(struct hd_session *s, const struct hd_schedule *sch);

/* Is it below the current directory, so that a schedule may name it? */
bool hd_recorded_is_inside(const char *program);

void hd_recorded_free(struct hd_recorded *r);

#endif
