/* SPDX-License-Identifier: BSD-2-Clause
 *
 * live.h - what can be seen of a search while it runs: the panel on the terminal, and stats.json
 * in the output directory.
 *
 * L1  stats.json belongs to one run at a time.  A run takes it over unless another one that is
 *     alive has it; then it writes stats-<pid>.json beside it, which stays until another run
 *     begins.
 * L2  Whoever reads the file sees a whole object: it is replaced, never changed.
 * L3  A search that is over within a second, and finds nothing, makes no directory for it. */
#ifndef HD_CAMPAIGN_LIVE_H
#define HD_CAMPAIGN_LIVE_H

#include "model/campaign.h"
#include "status/stats.h"

#define HD_STATS_FILE "stats.json"
#define HD_STATS_PREFIX "stats-" /* of those that came second: stats-<pid>.json */

struct hd_session;

struct hd_live {
    struct hd_stats stats;
    char path[4096];      /* of the file; empty: it has none yet */
    double next_write, next_draw;
    double rate_at;       /* for the rate: when ... */
    uint64_t rate_begun;  /* ... and how many executions had begun */
    uint64_t known;       /* findings, races and their orders */
    uint64_t findings;
};

/* Is that the name of a file of a run that came second? */
bool hd_live_is_second(const char *name);

/* The session goes on the record from here. */
void hd_live_open(struct hd_live *l, struct hd_session *s);

/* About 20 times a second.  True: the panel is what is shown. */
bool hd_live_look(struct hd_live *l, struct hd_session *s, const struct hd_totals *t, double seconds);

/* All is over, with this verdict. */
void hd_live_close(struct hd_live *l, struct hd_session *s, const struct hd_totals *t,
                   const char *verdict, int code);

#endif
