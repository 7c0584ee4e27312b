/* SPDX-License-Identifier: BSD-2-Clause
 *
 * terminal.h - what a terminal can show. */
#ifndef HD_STATUS_TERMINAL_H
#define HD_STATUS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum hd_color { HD_COLOR_AUTO, HD_COLOR_ALWAYS, HD_COLOR_NEVER };

/* Whether output to f is to be coloured: HD_COLOR_AUTO asks NO_COLOR and the terminal. */
bool hd_terminal_color(enum hd_color wanted, FILE *f);

/* How many columns there are for output to f: COLUMNS, the terminal's, or HD_TEXT_WIDTH. */
int hd_terminal_width(FILE *f);

#endif
