/* SPDX-License-Identifier: BSD-2-Clause
 *
 * terminal.h - capabilities of a terminal. */
#ifndef HD_STATUS_TERMINAL_H
#define HD_STATUS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum hd_color { HD_COLOR_AUTO, HD_COLOR_ALWAYS, HD_COLOR_NEVER };

/* True if output to f should be coloured.  HD_COLOR_AUTO considers NO_COLOR and whether f is a
 * terminal. */
bool hd_terminal_color(enum hd_color wanted, FILE *f);

/* Number of columns for output to f: COLUMNS, the terminal's width, or HD_TEXT_WIDTH. */
int hd_terminal_width(FILE *f);

#endif
