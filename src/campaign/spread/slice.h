/* SPDX-License-Identifier: BSD-2-Clause
 *
 * slice.h - one slice of a campaign: an ordinary session (session/session.h) whose work is a lease. */
#ifndef HD_CAMPAIGN_SPREAD_SLICE_H
#define HD_CAMPAIGN_SPREAD_SLICE_H

#include "campaign/findings/findings.h"
#include "campaign/search/search_one.h"
#include "campaign/spread/facts.h"
#include "campaign/spread/part.h"

struct hd_slice {
    struct hd_options o; /* those of the session */
    struct hd_session session;
    struct hd_findings findings;
    struct hd_part part;
    FILE *nowhere; /* the campaign is reported when it is over */
    char dir[256];  /* for the schedules of its findings, which the store keeps; "": none */

    struct hd_cluster *st;
    const char *worker;
    const struct hd_cluster_campaign *c;
    struct hd_cluster_lease *lease;
    double closing_at; /* seconds since the start; 0: not closing */
    double beat_at;
    uint32_t pieces;   /* into which the rest is to be divided */
    bool published;    /* the step of the leased row is in the store */
    bool lost;         /* the lease is somebody else's */
    bool open;
};

/* How a slice ended. */
enum hd_slice_end {
    HD_SLICE_DONE,   /* committed */
    HD_SLICE_LOST,   /* nothing of it counts: the lease or what it was based on was out of date */
    HD_SLICE_FAILED, /* code is the exit code, after a message */
    HD_SLICE_UNFIT,  /* the campaign was ended: this program cannot be divided */
};

/* Why searches with these options cannot be divided among machines; NULL: they can. */
const char *hd_slice_obstacle(const struct hd_options *o);
/* enum hd_cluster_kind */
int64_t hd_slice_kind(const struct hd_options *o);

/* Searches the lease for about that many seconds and commits the result.  Leaves the session open, for its symbols; close it
 * with hd_slice_close. */
enum hd_slice_end hd_slice_run(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, double seconds,
                               int *code);
/* Runs the program once, without a lease: opens a session for a process that only reports. */
bool hd_slice_look(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, int *code);
void hd_slice_close(struct hd_slice *sl);

#endif
