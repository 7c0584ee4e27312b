/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.h - minimises the schedule of a finding and determines why it fails. */
#ifndef HD_CAMPAIGN_MINIMIZE_H
#define HD_CAMPAIGN_MINIMIZE_H

#include "campaign/session.h"
#include "shrink/cause.h"

enum hd_fewest {
    HD_FEWEST_UNKNOWN, /* the time was over before all schedules with fewer preemptions were
                        * tried */
    HD_FEWEST_PROVED,  /* none of them fails in this way */
};

/* The result, in memory shared with the process that computed it. */
struct hd_minimized {
    bool again; /* the finding occurred again */
    bool found; /* the following fields are valid */
    bool early; /* the time was over before everything was tried */
    struct hd_measure before, after;
    enum hd_fewest fewest;
    struct hd_cause cause;
    /* a wire with the record of the finding in its smallest execution and everything that a
     * report needs; see hd_minimized_report */
    struct hd_wire wire;
    struct hd_common common;
    uint64_t nobjects, record_size;
    unsigned char data[]; /* objects, then the record */
};

/* Run variants of the schedule of a finding for at most that time.  occurrence: that of the
 * finding; 0: the schedule says.  Returns NULL if the finding did not occur again or, with
 * *slow set, if there was no time; otherwise the caller frees the result. */
struct hd_minimized *hd_minimize(const struct hd_session *s, const struct hd_schedule *schedule,
                                 uint64_t occurrence, uint64_t budget_ms, bool *slow);
void hd_minimized_free(struct hd_minimized *m);

/* The smallest execution as a report. */
void hd_minimized_report(struct hd_minimized *m, struct hd_symbols *symbols, struct hd_report *r);

/* Its schedule: like the original except for the steps.  Freed by hd_schedule_free. */
void hd_minimized_schedule(const struct hd_report *r, const struct hd_schedule *original,
                           struct hd_schedule *out);

/* Does a replay of the schedule in a separate process show the finding? */
bool hd_minimize_replays(const struct hd_session *s, const struct hd_schedule *schedule,
                         uint64_t occurrence);

/* Can findings of that kind be minimised? */
bool hd_minimize_allowed(enum hd_finding_kind kind);

#endif
