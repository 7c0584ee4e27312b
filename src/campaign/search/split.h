/* SPDX-License-Identifier: BSD-2-Clause
 *
 * split.h - `heddle linearize --split`: a sequential script, split over two clients in every way that keeps the order of its
 * steps.  Each split is a test of its own.  The first step is always the first client's: exchanging the clients changes
 * nothing. */
#ifndef HD_CAMPAIGN_SEARCH_SPLIT_H
#define HD_CAMPAIGN_SEARCH_SPLIT_H

#include "campaign/search/search_one.h"

/* Stops at the first split with a finding, unless --keep-going.  *out: the code of all of them. */
void hd_split_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                     struct hd_one_result *out);

#endif
