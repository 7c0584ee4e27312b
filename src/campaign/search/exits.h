/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exits.h - one exit code for several results. */
#ifndef HD_CAMPAIGN_SEARCH_EXITS_H
#define HD_CAMPAIGN_SEARCH_EXITS_H

/* Returns the more important one of two exit codes: a finding before an error before an exhausted budget. */
int hd_exit_worse(int a, int b);

/* Returns the verdict (hd_verdict_text) that the exit code stands for. */
const char *hd_exit_verdict(int code);

#endif
