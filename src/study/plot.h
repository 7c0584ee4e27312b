/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plot.h - the plots of a study, as SVG that stands in a page: colours and fonts are those of
 * its style sheet (html/style.css), so that a plot is dark on a dark page and light on paper.
 * Strategies differ in colour and in the dashes of their lines. */
#ifndef HD_STUDY_PLOT_H
#define HD_STUDY_PLOT_H

#include "study/output.h"

/* How many programs are found within how many executions; one line per strategy. */
void hd_plot_cumulative(FILE *out, const struct hd_study *s);

/* Which programs are found by the same strategies. */
void hd_plot_upset(FILE *out, const struct hd_study *s);

/* The same of three strategies, as circles.  The numbers have ids (venn-1 ... venn-7, bits as
 * the circles), so that the page's script can show other three. */
void hd_plot_venn(FILE *out, const struct hd_study *s, const size_t three[3]);

/* Executions to the first bug with two strategies, a point per program; what was not found
 * is on a line of its own.  The script moves the points for another two. */
void hd_plot_scatter(FILE *out, const struct hd_study *s, size_t x, size_t y);

/* Schedules against classes; false when nothing is known of them, and nothing was written. */
bool hd_plot_classes(FILE *out, const struct hd_study *s);

/* Executions per second, a mark per program and one for the median. */
void hd_plot_rates(FILE *out, const struct hd_study *s);

/* ---- what plots are made of (svg.c) ---------------------------------------------------------- */

/* A logarithmic axis from 1 to 10^decades over so many pixels. */
struct hd_log_axis {
    double from, length; /* length < 0: upward */
    int decades;
};

/* Enough decades for that number; at least one. */
int hd_svg_decades(double most);
double hd_svg_at(const struct hd_log_axis *a, double value);

void hd_svg_open(FILE *out, const char *id, int width, int height, const char *title, const char *about);
void hd_svg_close(FILE *out);
void hd_svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);
/* anchor: "start", "middle", "end". */
void hd_svg_text(FILE *out, const char *class, double x, double y, const char *anchor, const char *text);
/* One that the script finds by its id. */
void hd_svg_text_as(FILE *out, const char *id, const char *class, double x, double y, const char *text);

/* Lines and numbers of the decades of a horizontal axis, over a plot from top to bottom; or of a
 * vertical one, over a plot from left to right. */
void hd_svg_decades_x(FILE *out, const struct hd_log_axis *a, double top, double bottom);
void hd_svg_decades_y(FILE *out, const struct hd_log_axis *a, double left, double right);

/* ' style="--hue:…"' of a strategy, with the blank before it. */
void hd_svg_hue(FILE *out, size_t strategy);
/* Its dashes, a number from 0 to 3. */
unsigned hd_svg_dashes(size_t strategy);

#endif
