/* SPDX-License-Identifier: BSD-2-Clause
 *
 * panel.h - the state of a search as a few lines of text: redrawn on a terminal while the search runs
 * (campaign/search/live.c), printed once by `heddle status`.
 *
 * The functions only compute the lines; they do not print them.  One byte is one column: bytes of a
 * program's name that are not printable ASCII are shown as '?', so that no line is wider than its length or
 * controls the terminal. */
#ifndef HD_STATUS_PANEL_H
#define HD_STATUS_PANEL_H

#include "status/stats.h"

#define HD_PANEL_LINES 34   /* maximum */
#define HD_PANEL_WIDTH 120  /* wider lines are harder to read */
#define HD_PANEL_NARROWEST 60 /* the panel is not shown below this width */

enum hd_panel_tone { HD_TONE_PLAIN, HD_TONE_RULE, HD_TONE_GOOD, HD_TONE_BAD };

struct hd_panel {
    struct {
        char text[HD_PANEL_WIDTH + 1];
        int label; /* number of leading bytes that are the label */
        enum hd_panel_tone tone;
    } line[HD_PANEL_LINES];
    int n;
};

/* Lays out lines of at most `width` columns.  Precondition: width >= HD_PANEL_NARROWEST. */
void hd_panel_lay(struct hd_panel *p, const struct hd_stats *s, int width);

/* color: escape sequences for labels and highlights.  redraws: each line erases the rest of
 * the old one. */
void hd_panel_print(FILE *out, const struct hd_panel *p, bool color, bool redraws);

#endif
