/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jobs.h - the number of workers of a search. */
#ifndef HD_CAMPAIGN_SETUP_JOBS_H
#define HD_CAMPAIGN_SETUP_JOBS_H

#include "campaign/setup/options.h"

/* Returns why the search cannot be divided among workers, or NULL if it can. */
const char *hd_jobs_obstacle(const struct hd_options *o);

/* Returns the number of workers, from 1 to HD_MAX_WORKERS: never more than the limit of executions,
 * and 1 if the search cannot be divided. */
uint32_t hd_jobs(const struct hd_options *o);

#endif
