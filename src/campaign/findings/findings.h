/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h - saves, minimises and shows findings.  A finding is saved as soon as its record is
 * complete, so that no later event can lose it.  When the search is over, its schedule is
 * minimised, saved again, and the finding is shown. */
#ifndef HD_CAMPAIGN_FINDINGS_FINDINGS_H
#define HD_CAMPAIGN_FINDINGS_FINDINGS_H

#include "campaign/findings/races.h"
#include "campaign/findings/suppression.h"
#include "campaign/findings/warnings.h"
#include "campaign/rerun/minimize.h"
#include "campaign/setup/outputs.h"

struct hd_findings {
    struct hd_session *s;
    struct hd_outputs *outputs; /* NULL: no report files */
    /* Writes the name under which the report's commands refer to a schedule.  If the pointer is NULL, they use the
     * path of the schedule. */
    void (*name_schedule)(const struct hd_result_finding *f, char *buf, size_t cap);
    struct hd_result_finding *list;
    size_t n;
    struct hd_suppression_state suppression;
    struct hd_warnings warnings;
    struct hd_races_known races;
    /* Called when the search is over.  Returns true if another search replaces this one and will
     * find the same again.  NULL: never. */
    bool (*is_given_up)(struct hd_findings *all, void *ctx);
    void *ctx;
    /* Also called when the search is over.  Returns true if the search will be continued later.  NULL: never. */
    bool (*is_paused)(struct hd_findings *all, void *ctx);

    /* The time for findings, after the search. */
    double until;           /* its end, in ms; 0: not determined yet */
    uint32_t stopped_early; /* findings whose minimising was not finished in time */
    uint32_t not_looked_at; /* findings that were not replayed for more details, for lack of time */

    /* Replay only: findings other than the recorded one, shown last. */
    struct hd_later {
        const struct hd_wire *wire;
        const struct hd_finding *finding;
    } *later;
    size_t nlater;
    bool later_come; /* the run is over: show the other findings now */
};

/* Makes this list the listener of the session, which is open: it saves and shows what the session finds.  Returns
 * false, after a message, if a file of suppressions is invalid.  Call hd_findings_close in either case. */
bool hd_findings_open(struct hd_findings *all, struct hd_session *s, struct hd_outputs *outputs);
void hd_findings_close(struct hd_findings *all);

/* Adds a finding without a record to the list.  The pointer is valid until the next finding is
 * added. */
struct hd_result_finding *hd_findings_new(struct hd_findings *all, enum hd_finding_kind kind,
                                          uint64_t execution);
/* Adds a finding without a schedule, which its kind and message identify.  The pointer is valid
 * until the next finding is added. */
struct hd_result_finding *hd_findings_new_from_message(struct hd_findings *all, enum hd_finding_kind kind,
                                               uint64_t execution, const char *message);

/* For a search that was paused: hd_findings_finish shows its findings, hd_findings_drop removes the
 * schedules that it has saved. */
void hd_findings_finish(struct hd_findings *all);
void hd_findings_drop(const struct hd_findings *all);

/* Computes the result of the session with its findings and verdict, as all verbs need it. */
void hd_findings_result(struct hd_findings *all, struct hd_result *r);

/* True if there are no findings other than data races. */
bool hd_findings_only_races(const struct hd_findings *all);

/* Gives the result to the report files, if there are any. */
void hd_findings_deliver(const struct hd_findings *all, const struct hd_result *r, int code);

/* Adds and shows the result of minimising a schedule outside of a search.  The list then owns m.
 * Returns false, and shows nothing, if a replay of the smaller schedule does not show the finding. */
bool hd_findings_add_minimized(struct hd_findings *all, const struct hd_schedule *original,
                               struct hd_minimized *m);

#endif
