/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rechecks.h - `heddle recheck`: runs all schedules of a directory again after an edit. */
#ifndef HD_CAMPAIGN_SEARCH_RECHECKS_H
#define HD_CAMPAIGN_SEARCH_RECHECKS_H

#include "campaign/setup/options.h"

/* Runs the schedules of o->args[0] (a directory or a schedule; by default the output directory), prints what
 * became of each and writes the report files.  Returns the exit code. */
int hd_rechecks(const struct hd_options *o);

#endif
