/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.h - minimises the schedule of a finding and determines why the schedule fails. */
#ifndef HD_CAMPAIGN_RERUN_MINIMIZE_H
#define HD_CAMPAIGN_RERUN_MINIMIZE_H

#include "campaign/session/session.h"
#include "shrink/cause.h"

enum hd_fewest {
    HD_FEWEST_UNKNOWN, /* time ran out before all schedules with fewer preemptions were tried */
    HD_FEWEST_PROVED,  /* no schedule with fewer preemptions has this finding */
};

/* The result, in memory shared with the process that computes it. */
struct hd_minimized {
    bool again; /* the finding occurred again */
    bool found; /* the smallest execution was recorded; `after` and the fields below it are valid */
    bool early; /* time ran out before everything was tried */
    struct hd_measure before, after;
    enum hd_fewest fewest;
    struct hd_cause cause;
    /* A copy of the wire, with the record of the finding in its smallest execution and everything
     * that a report needs.  Read it with hd_minimized_report. */
    struct hd_wire wire;
    struct hd_common common;
    uint64_t nobjects, record_size;
    unsigned char data[]; /* objects, then the record */
};

/* Runs variants of the schedule of a finding for at most budget_ms.  occurrence identifies the
 * finding; 0: the schedule identifies it.  Returns NULL if the finding did not occur again, or if
 * time ran out (then *slow is true).  The caller frees the result with hd_minimized_free. */
struct hd_minimized *hd_minimize(const struct hd_session *s, const struct hd_schedule *schedule,
                                 uint64_t occurrence, uint64_t budget_ms, bool *slow);
void hd_minimized_free(struct hd_minimized *m);

/* Returns memory for a result, shared with children; NULL on failure. */
struct hd_minimized *hd_minimized_new(void);
/* Copies the finding of the runner's last execution (t->found) to m. */
struct hd_plan_runner;
void hd_minimized_take(const struct hd_plan_runner *t, struct hd_minimized *m);

/* Opens the smallest execution as a report.  The report refers to m. */
void hd_minimized_report(struct hd_minimized *m, struct hd_symbols *symbols, struct hd_report *r);

/* Creates the schedule of the smallest execution: a copy of the original with other steps.  The
 * caller frees it with hd_schedule_free. */
void hd_minimized_schedule(const struct hd_report *r, const struct hd_schedule *original,
                           struct hd_schedule *out);

/* Replays the schedule in a separate process.  Returns true if the finding occurs. */
bool hd_minimize_replays(const struct hd_session *s, const struct hd_schedule *schedule,
                         uint64_t occurrence);

/* True if findings of this kind can be minimised. */
bool hd_minimize_allowed(enum hd_finding_kind kind);

#endif
