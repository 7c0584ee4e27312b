/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baseline.h - `--strategy stress` and `--strategy noise`: the program as it runs without
 * Heddle, on native threads, again and again.  They are there to be compared with: nothing is
 * controlled, so nothing can be replayed, and memory and races are not looked at. */
#ifndef HD_CAMPAIGN_BASELINE_H
#define HD_CAMPAIGN_BASELINE_H

#include "campaign/options.h"

struct hd_session;

struct hd_baseline {
    const char *name;
    const char *summary; /* one line for `heddle list` */
};

/* All of them; the last has no name. */
extern const struct hd_baseline hd_baselines[];

/* By name; NULL when it is none. */
const struct hd_baseline *hd_baseline_find(const char *name);

/* What keeps it from doing as the options say: a sentence that begins with the option.
 * NULL: nothing. */
const char *hd_baseline_obstacle(const struct hd_options *o, enum hd_verb verb);

/* As hd_session_run. */
int hd_baseline_run(struct hd_session *s, uint64_t budget_ms);

#endif
