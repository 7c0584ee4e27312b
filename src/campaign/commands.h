/* SPDX-License-Identifier: BSD-2-Clause
 *
 * commands.h - the commands for a finding: debug, browse, suppress and reproduce it. */
#ifndef HD_CAMPAIGN_COMMANDS_H
#define HD_CAMPAIGN_COMMANDS_H

#include "report/verdict/result.h"

/* Print one line per command, HD_TEXT_COMMANDS with the empty line before them; the last
 * command reproduces the finding.  Prints nothing for a replay that shows another finding
 * than expected, which may not occur again.  Names the program if a schedule may not choose
 * it by itself (recorded.h). */
void hd_commands_print(FILE *out, const struct hd_result_finding *f, const char *program);

/* Print a word of a command that is meant to be copied, quoted only if a shell needs it. */
void hd_commands_word(FILE *out, const char *word);

#endif
