/* SPDX-License-Identifier: BSD-2-Clause
 *
 * live.h - shows a running search: the panel on the terminal, and stats.json in the output
 * directory.
 *
 * L1  stats.json belongs to one run at a time.  A new run takes the file over, unless the run that
 *     owns it is still alive.  Then the new run writes stats-<pid>.json, which stays until another
 *     run begins.
 * L2  A reader always sees a complete object: the file is replaced, never modified.
 * L3  A search that ends within a second without a finding does not create the directory. */
#ifndef HD_CAMPAIGN_SEARCH_LIVE_H
#define HD_CAMPAIGN_SEARCH_LIVE_H

#include "model/campaign.h"
#include "status/stats.h"

#define HD_STATS_FILE "stats.json"
#define HD_STATS_PREFIX "stats-" /* stats-<pid>.json: file of a further simultaneous run */

struct hd_findings;
struct hd_options;
struct hd_progress_view;

struct hd_live {
    const struct hd_options *o;
    struct hd_progress_view *view;
    struct hd_findings *f; /* with the session that is shown; NULL: the caller sets the facts */
    struct hd_stats stats;
    char path[4096];      /* path of the file; empty until the file name is claimed */
    double next_write, next_draw;
    double rate_at;       /* time of the last measurement of the rate */
    uint64_t rate_begun;  /* number of executions begun then */
    uint64_t known;       /* number of findings, races and confirmed races */
    uint64_t findings;    /* number of findings at the last update */
};

/* True if this is the name of a file stats-<pid>.json. */
bool hd_live_is_second(const char *name);

/* Starts the display of the session with these findings. */
void hd_live_open(struct hd_live *l, struct hd_findings *f);

/* Starts the display of facts that the caller sets in l->stats. */
void hd_live_open_facts(struct hd_live *l, const struct hd_options *o, struct hd_progress_view *view, const char *program,
                        const char *test);
/* True if it is time to show the facts. */
bool hd_live_is_due(const struct hd_live *l, double seconds);
/* Shows the facts if that is due and there is room for a panel. */
void hd_live_show_facts(struct hd_live *l, double seconds);
/* Removes the panel and writes the final state. */
void hd_live_close_facts(struct hd_live *l, const char *verdict, int code);

/* Updates the display: the panel or, if there is no room for it, the progress line.  Called about 20
 * times a second. */
void hd_live_look(struct hd_live *l, const struct hd_totals *t, double seconds);

/* Writes the final state.  Call when the search is over. */
void hd_live_close(struct hd_live *l, const struct hd_totals *t, const char *verdict, int code);

#endif
