/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baselines.h - the list of strategies that run the program on native threads
 * (baseline.h): names, properties, parameters, and which options they refuse. */
#ifndef HD_CAMPAIGN_BASELINES_H
#define HD_CAMPAIGN_BASELINES_H

#include "campaign/options.h"
#include "search/core/strategy.h"

struct hd_baseline {
    const char *name;
    const char *summary; /* one line for `heddle list` */
    struct hd_traits traits;
    const struct hd_param *params;
};

/* All of them; the last has no name. */
extern const struct hd_baseline hd_baselines[];

/* By "name" or "name:parameters"; NULL when it is none. */
const struct hd_baseline *hd_baseline_find(const char *name);

/* What keeps it from doing as the options say: a sentence that begins with the option.
 * NULL: nothing. */
const char *hd_baseline_obstacle(const struct hd_options *o, enum hd_verb verb);

#endif
