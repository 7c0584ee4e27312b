/* SPDX-License-Identifier: BSD-2-Clause
 *
 * commands.h - the commands for a finding: debug, browse, suppress and reproduce it. */
#ifndef HD_CAMPAIGN_FINDINGS_COMMANDS_H
#define HD_CAMPAIGN_FINDINGS_COMMANDS_H

#include "report/verdict/result.h"

/* Prints the commands for the finding, one per line; the last one reproduces it.  Prints nothing if a
 * replay has shown another finding than the recorded one: that finding may not occur again.  Adds "-- PROGRAM" if
 * the schedule alone may not choose the program (hd_path_is_inside). */
void hd_commands_print(FILE *out, const struct hd_result_finding *f, const char *program);

#endif
