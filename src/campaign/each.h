/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.h - `--each`: every test of a test program is a search of its own. */
#ifndef HD_CAMPAIGN_EACH_H
#define HD_CAMPAIGN_EACH_H

#include "campaign/options.h"

/* Search all of them, print a table, write the files.  Returns the exit code: that of the
 * test that matters most, a finding before an error before a budget that is used up. */
int hd_each(const struct hd_options *o);

#endif
