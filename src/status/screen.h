/* SPDX-License-Identifier: BSD-2-Clause
 *
 * screen.h - a few lines on the terminal that are redrawn in place.
 *
 * Uses plain escape sequences and one write per picture, so nothing flickers.  The
 * terminal's settings do not change and the cursor stays visible below the last line, so
 * nothing must be restored, however the process ends. */
#ifndef HD_STATUS_SCREEN_H
#define HD_STATUS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct hd_screen {
    int lines;      /* lines on the screen; 0: none */
    int cols, rows; /* size of the terminal when they were drawn */
};

/* The size of the terminal at standard error; false if it is not a terminal or the size is
 * unknown. */
bool hd_screen_size(int *cols, int *rows);

/* True if the terminal supports escape sequences. */
bool hd_screen_knows_escapes(void);

/* True if this process may draw: a process in the background may not. */
bool hd_screen_is_ours(void);

/* Starts to detect whether this process was stopped and continued.  Then the screen may have changed, and the old
 * lines are not overwritten. */
void hd_screen_begin(void);

/* Replace the drawn lines by `text`: `lines` lines, none wider than the terminal, each
 * ending with erase-to-end and a newline. */
void hd_screen_draw(struct hd_screen *s, const char *text, size_t size, int lines);

/* Remove the lines. */
void hd_screen_clear(struct hd_screen *s);

#endif
