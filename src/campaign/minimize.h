/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.h - the schedule of a finding made as small as it goes, and why it fails. */
#ifndef HD_CAMPAIGN_MINIMIZE_H
#define HD_CAMPAIGN_MINIMIZE_H

#include "campaign/session.h"
#include "shrink/cause.h"

enum hd_fewest {
    HD_FEWEST_UNKNOWN, /* time was over before all schedules with fewer preemptions were tried */
    HD_FEWEST_PROVED,  /* none of them fails like this */
};

/* What was found out, in memory that is shared with the process that did. */
struct hd_minimized {
    bool again; /* it showed again ... */
    bool found; /* ... and what follows was found out; else it means nothing */
    bool early; /* time was over before everything was tried */
    struct hd_measure before, after;
    enum hd_fewest fewest;
    struct hd_cause cause;
    /* a wire with the record of the finding in its smallest execution, and all that a
     * report needs of it; see hd_minimized_report */
    struct hd_wire wire;
    struct hd_common common;
    uint64_t nobjects, record_size;
    unsigned char data[]; /* objects, then the record */
};

/* Run the schedule of a finding again and again, for at most that time.  occurrence: of the
 * finding; 0: the schedule tells.  NULL when it did not show again, or, with *slow, when there
 * was no time for more; else to be freed. */
struct hd_minimized *hd_minimize(const struct hd_session *s, const struct hd_schedule *schedule,
                                 uint64_t occurrence, uint64_t budget_ms, bool *slow);
void hd_minimized_free(struct hd_minimized *m);

/* The smallest execution, as a report. */
void hd_minimized_report(struct hd_minimized *m, struct hd_symbols *symbols, struct hd_report *r);

/* Its schedule: as the original one, but for its steps.  To be freed with hd_schedule_free. */
void hd_minimized_schedule(const struct hd_report *r, const struct hd_schedule *original,
                           struct hd_schedule *out);

/* Does a replay of the schedule, in a process of its own, show the finding? */
bool hd_minimize_replays(const struct hd_session *s, const struct hd_schedule *schedule,
                         uint64_t occurrence);

/* Can findings of that kind be minimised? */
bool hd_minimize_allowed(enum hd_finding_kind kind);

#endif
