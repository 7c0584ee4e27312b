/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jobs.h - how many workers a search gets. */
#ifndef HD_CAMPAIGN_JOBS_H
#define HD_CAMPAIGN_JOBS_H

#include "campaign/options.h"

/* Why the search cannot be divided among workers; NULL: it can. */
const char *hd_jobs_obstacle(const struct hd_options *o);

/* 1 to HD_MAX_WORKERS: never more than there are executions to do, and one when the
 * search cannot be divided. */
uint32_t hd_jobs(const struct hd_options *o);

#endif
