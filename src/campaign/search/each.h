/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.h - `--each`: a separate search for every test of a test program. */
#ifndef HD_CAMPAIGN_SEARCH_EACH_H
#define HD_CAMPAIGN_SEARCH_EACH_H

#include "campaign/setup/options.h"

/* Searches all tests, prints a table and writes the report files.  Returns the most important exit
 * code of all tests: a finding before an error before an exhausted budget. */
int hd_each(const struct hd_options *o);

#endif
