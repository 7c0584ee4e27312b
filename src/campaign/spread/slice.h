/* SPDX-License-Identifier: BSD-2-Clause
 *
 * slice.h - one slice of a campaign: an ordinary session (session/session.h) whose work is a lease. */
#ifndef HD_CAMPAIGN_SPREAD_SLICE_H
#define HD_CAMPAIGN_SPREAD_SLICE_H

#include "campaign/findings/findings.h"
#include "campaign/search/search_one.h"
#include "campaign/spread/facts.h"
#include "campaign/spread/pages.h"
#include "campaign/spread/part.h"

struct hd_slice {
    struct hd_options o; /* options of the session */
    struct hd_session session;
    struct hd_findings findings;
    struct hd_pages pages;
    struct hd_part part;
    FILE *nowhere; /* output of the session, discarded: the campaign is reported only when it is over */
    char dir[256];  /* directory for the schedules of its findings, which are then copied into the store; "": none */

    struct hd_cluster *st;
    const char *worker;
    const struct hd_cluster_campaign *c;
    struct hd_cluster_lease *lease;
    double closing_at; /* when to close the part, in seconds since the start; 0: not yet */
    double beat_at;
    double began_at;   /* when the first execution was over; 0: not yet */
    uint32_t pieces;   /* number of pieces into which the rest is to be divided */
    bool published;    /* the step of the leased row is in the store */
    bool lost;         /* another worker has taken over the lease */
    bool open;
};

/* How a slice ended. */
enum hd_slice_end {
    HD_SLICE_DONE,   /* committed */
    HD_SLICE_LOST,   /* nothing of it counts: the lease, or the knowledge that it was based on, was out of date */
    HD_SLICE_FAILED, /* a message was printed; `code` is the exit code */
};

/* Returns the reason why a search with these options cannot be divided among machines, or NULL if it can. */
const char *hd_slice_obstacle(const struct hd_options *o);
/* enum hd_cluster_kind */
int64_t hd_slice_kind(const struct hd_options *o);

/* Searches the leased row for about that many seconds and commits the result.  Leaves the session open, because the
 * caller may need its symbols; close it with hd_slice_close. */
enum hd_slice_end hd_slice_run(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, double seconds,
                               int *code);
/* Runs the program once, without a lease: opens a session for a process that only reports. */
bool hd_slice_look(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, int *code);
void hd_slice_close(struct hd_slice *sl);

#endif
