/* SPDX-License-Identifier: BSD-2-Clause
 *
 * live.h - the display of a running search: the panel on the terminal, and stats.json in
 * the output directory.
 *
 * L1  stats.json belongs to one run at a time.  A run takes it over unless a live run has
 *     it; then it writes stats-<pid>.json, which stays until another run begins.
 * L2  A reader always sees a complete object: the file is replaced, never modified.
 * L3  A search that ends within a second without a finding does not create the directory. */
#ifndef HD_CAMPAIGN_LIVE_H
#define HD_CAMPAIGN_LIVE_H

#include "model/campaign.h"
#include "status/stats.h"

#define HD_STATS_FILE "stats.json"
#define HD_STATS_PREFIX "stats-" /* of further simultaneous runs: stats-<pid>.json */

struct hd_session;

struct hd_live {
    struct hd_stats stats;
    char path[4096];      /* path of the file; empty: none yet */
    double next_write, next_draw;
    double rate_at;       /* time of the last measurement of the rate */
    uint64_t rate_begun;  /* number of executions begun then */
    uint64_t known;       /* number of findings, races and confirmed orders */
    uint64_t findings;
};

/* Is that the file name of a further simultaneous run? */
bool hd_live_is_second(const char *name);

/* Start to record the session. */
void hd_live_open(struct hd_live *l, struct hd_session *s);

/* Called about 20 times a second.  True if the panel is shown. */
bool hd_live_look(struct hd_live *l, struct hd_session *s, const struct hd_totals *t, double seconds);

/* The search is over with this verdict. */
void hd_live_close(struct hd_live *l, struct hd_session *s, const struct hd_totals *t,
                   const char *verdict, int code);

#endif
