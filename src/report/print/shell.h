/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shell.h - commands that the user can copy. */
#ifndef HD_REPORT_PRINT_SHELL_H
#define HD_REPORT_PRINT_SHELL_H

#include <stdio.h>

/* Prints a word of a command.  Quotes it only if a shell needs quotes. */
void hd_shell_word(FILE *out, const char *word);

#endif
