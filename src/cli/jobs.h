/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jobs.h - how many workers a search gets. */
#ifndef HD_CLI_JOBS_H
#define HD_CLI_JOBS_H

#include "cli/options.h"

/* Can the strategy's work be divided among workers? */
bool hd_jobs_possible(const struct hd_options *o);

/* 1 to HD_MAX_WORKERS: never more than there are executions to do, and one when the
 * strategy's work cannot be divided. */
uint32_t hd_jobs(const struct hd_options *o);

#endif
