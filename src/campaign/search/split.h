/* SPDX-License-Identifier: BSD-2-Clause
 *
 * split.h - `heddle linearize --split`: distributes the steps of a sequential script over two clients, in every
 * way that keeps the order of the steps.  Each split is a separate test.  The first client always has the first
 * step, because exchanging the clients changes nothing. */
#ifndef HD_CAMPAIGN_SEARCH_SPLIT_H
#define HD_CAMPAIGN_SEARCH_SPLIT_H

#include "campaign/search/search_one.h"

/* Stops at the first split with a finding, unless --keep-going is given.  *out: the result of all splits together. */
void hd_split_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                     struct hd_one_result *out);

#endif
