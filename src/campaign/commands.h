/* SPDX-License-Identifier: BSD-2-Clause
 *
 * commands.h - what can be done with a finding: look into it, be rid of it, run it again. */
#ifndef HD_CAMPAIGN_COMMANDS_H
#define HD_CAMPAIGN_COMMANDS_H

#include "report/verdict/result.h"

/* A line for each, HD_TEXT_COMMANDS with the empty one before them; the last one is the
 * command that reproduces it.  Nothing of a replay that shows something else than it was
 * to show, and may not do so again.  A program that a schedule may not choose by itself (recorded.h)
 * is named. */
void hd_commands_print(FILE *out, const struct hd_result_finding *f, const char *program);

/* A word of a command that is meant to be copied: quotes only where a shell would need them. */
void hd_commands_word(FILE *out, const char *word);

#endif
