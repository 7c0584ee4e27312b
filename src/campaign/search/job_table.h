/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_table.h - the searches of Quicksand as text: one line for each, and the races that none of them has
 * decided. */
#ifndef HD_CAMPAIGN_SEARCH_JOB_TABLE_H
#define HD_CAMPAIGN_SEARCH_JOB_TABLE_H

#include "report/verdict/result.h"

/* Prints the table at the end: the sets of points, the processor time, and the races that no other output lists. */
void hd_job_table_print(FILE *out, const struct hd_result_quicksand *q);

/* Writes a line for each search that matters now, running and waiting ones first.  Only counts the others. */
void hd_job_table_now(const struct hd_result_quicksand *q, char *text, size_t cap);

/* Writes how much of the search is done and how long the rest will take, if that is known: ", 12%, 3.1 s left";
 * ", 10 to 12%, 3.1 to 4 s left" where the two estimates differ; ", more than 4 s left" while they grow as time passes. */
void hd_job_table_estimate(const struct hd_result_job *job, char *text, size_t cap);

#endif
