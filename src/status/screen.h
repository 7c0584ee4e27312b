/* SPDX-License-Identifier: BSD-2-Clause
 *
 * screen.h - a few lines on the terminal that are redrawn in place.
 *
 * Plain escape sequences, one write for each picture, so that nothing flickers.  The terminal's
 * settings are left as they are and the cursor stands visible below the last line: there is
 * nothing to put back, whatever ends this process. */
#ifndef HD_STATUS_SCREEN_H
#define HD_STATUS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct hd_screen {
    int lines;      /* that stand there; 0: nothing does */
    int cols, rows; /* of the terminal, when they were drawn */
};

/* The size of the terminal at standard error; false: it is none, or does not tell. */
bool hd_screen_size(int *cols, int *rows);

/* Does the terminal know escape sequences? */
bool hd_screen_knows_escapes(void);

/* May this process draw?  One that was put into the background may not. */
bool hd_screen_is_ours(void);

/* From now on it is noticed when this process was stopped and goes on: what stands on the
 * screen since then is somebody else's, and is not drawn over. */
void hd_screen_begin(void);

/* `text`: so many lines, none wider than the terminal, each ending with erase-to-end and a
 * newline.  In the place of those that stand there. */
void hd_screen_draw(struct hd_screen *s, const char *text, size_t size, int lines);

/* Take them off. */
void hd_screen_clear(struct hd_screen *s);

#endif
