/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dry.h - --dry: runs the program once and lists its scheduling points. */
#ifndef HD_CAMPAIGN_SEARCH_DRY_H
#define HD_CAMPAIGN_SEARCH_DRY_H

#include "campaign/search/search_one.h"

void hd_dry_run(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                struct hd_one_result *out);

#endif
