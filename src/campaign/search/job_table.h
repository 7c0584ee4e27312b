/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_table.h - the searches of Quicksand as text: one line for each, and what they have left open. */
#ifndef HD_CAMPAIGN_SEARCH_JOB_TABLE_H
#define HD_CAMPAIGN_SEARCH_JOB_TABLE_H

#include "report/verdict/result.h"

/* Prints the table at the end: the sets that were begun, the processor time, and the races that nothing else lists. */
void hd_job_table_print(FILE *out, const struct hd_result_quicksand *q);

/* Writes a line for each search that matters now: those that run or wait first; the others are counted. */
void hd_job_table_now(const struct hd_result_quicksand *q, char *text, size_t cap);

/* How much of it is done, and how long the rest will take, if that is known: ", 12%, 3.1 s left". */
void hd_job_table_estimate(double seconds, double left, char *text, size_t cap);

#endif
