/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spread.h - a search that many machines work on: creates or joins a campaign of a store, works until it is over, and reports
 * its result. */
#ifndef HD_CAMPAIGN_SPREAD_SPREAD_H
#define HD_CAMPAIGN_SPREAD_SPREAD_H

#include "campaign/search/search_one.h"

/* Searches with o->store and o->campaign. spec: properties on which all workers must agree, as lines of text. stage:
 * like hd_search_stage, but it cannot end the search early. */
void hd_spread_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one, const char *spec,
                      const struct hd_stage *stage, struct hd_one_result *out);

#endif
