/* SPDX-License-Identifier: BSD-2-Clause
 *
 * panel.h - how a search stands, as a few lines for people: redrawn on a terminal while it runs
 * (live.c), printed once by `heddle status`.
 *
 * Pure: from facts to lines.  A byte is a column: whatever is not printable ASCII in the name of
 * a program is shown as '?', so that no line can be wider than it is long, nor do anything to
 * the terminal. */
#ifndef HD_STATUS_PANEL_H
#define HD_STATUS_PANEL_H

#include "status/stats.h"

#define HD_PANEL_LINES 22   /* at most */
#define HD_PANEL_WIDTH 120  /* wider lines are harder to read */
#define HD_PANEL_NARROWEST 60 /* below this it is not worth it */

enum hd_panel_tone { HD_TONE_PLAIN, HD_TONE_RULE, HD_TONE_GOOD, HD_TONE_BAD };

struct hd_panel {
    struct {
        char text[HD_PANEL_WIDTH + 1];
        int label; /* so many bytes at the front are one */
        enum hd_panel_tone tone;
    } line[HD_PANEL_LINES];
    int n;
};

/* Lines of at most `width` columns, HD_PANEL_NARROWEST or more. */
void hd_panel_lay(struct hd_panel *p, const struct hd_stats *s, int width);

/* With escape sequences around labels and what stands out when `color`; each line ends what
 * stood there before when `redraws`. */
void hd_panel_print(FILE *out, const struct hd_panel *p, bool color, bool redraws);

#endif
