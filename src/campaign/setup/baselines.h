/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baselines.h - the list of strategies that run the program on native threads
 * (baseline.h): names, properties, parameters, and which options they refuse. */
#ifndef HD_CAMPAIGN_SETUP_BASELINES_H
#define HD_CAMPAIGN_SETUP_BASELINES_H

#include "campaign/setup/options.h"
#include "search/core/strategy.h"

struct hd_baseline {
    const char *name;
    const char *summary; /* one line for `heddle list` */
    struct hd_traits traits;
    const struct hd_param *params;
};

/* All native strategies; an entry without a name ends the list. */
extern const struct hd_baseline hd_baselines[];

/* Finds a native strategy by "name" or "name:parameters".  Returns NULL if there is no such
 * strategy. */
const struct hd_baseline *hd_baseline_find(const char *name);

/* Returns why the native strategies cannot run with these options: a sentence that names the
 * option, if one is to blame.  Returns NULL if they can. */
const char *hd_baseline_obstacle(const struct hd_options *o, enum hd_verb verb);

#endif
