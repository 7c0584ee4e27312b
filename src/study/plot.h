/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plot.h - the plots of a study as inline SVG: colours and fonts come from the page's style
 * sheet (html/style.css), so a plot fits a dark page as well as paper.  Strategies differ
 * in colour and in the dashes of their lines. */
#ifndef HD_STUDY_PLOT_H
#define HD_STUDY_PLOT_H

#include "study/output.h"

/* Number of programs found within a number of executions; one line per strategy. */
void hd_plot_cumulative(FILE *out, const struct hd_study *s);

/* Programs that are found by the same strategies (UpSet plot). */
void hd_plot_upset(FILE *out, const struct hd_study *s);

/* Like hd_plot_upset, for three strategies, as circles.  The numbers have ids (venn-1 ...  venn-7,
 * one bit per circle), so that the page's script can show three others. */
void hd_plot_venn(FILE *out, const struct hd_study *s, const size_t three[3]);

/* Executions to the first bug with two strategies, one point per program; programs that
 * were not found are on a separate line.  The script moves the points for two others. */
void hd_plot_scatter(FILE *out, const struct hd_study *s, size_t x, size_t y);

/* Schedules against classes; false, without output, if no data exist. */
bool hd_plot_classes(FILE *out, const struct hd_study *s);

/* Executions per second: one mark per program and one for the median. */
void hd_plot_rates(FILE *out, const struct hd_study *s);

/* ---- building blocks (svg.c)
 * ------------------------------------------------------------------ */

/* A logarithmic axis from 1 to 10^decades over `length` pixels. */
struct hd_log_axis {
    double from, length; /* length < 0: upward */
    int decades;
};

/* Number of decades for that value; at least one. */
int hd_svg_decades(double most);
double hd_svg_at(const struct hd_log_axis *a, double value);

void hd_svg_open(FILE *out, const char *id, int width, int height, const char *title, const char *about);
void hd_svg_close(FILE *out);
void hd_svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);
/* anchor: "start", "middle", "end". */
void hd_svg_text(FILE *out, const char *class, double x, double y, const char *anchor, const char *text);
/* A text that the script finds by its id. */
void hd_svg_text_as(FILE *out, const char *id, const char *class, double x, double y, const char *text);

/* Grid lines and numbers of a horizontal axis, for a plot from top to bottom, or of a
 * vertical one, for a plot from left to right. */
void hd_svg_decades_x(FILE *out, const struct hd_log_axis *a, double top, double bottom);
void hd_svg_decades_y(FILE *out, const struct hd_log_axis *a, double left, double right);

/* ' style="--hue:..."' of a strategy, with a leading blank. */
void hd_svg_hue(FILE *out, size_t strategy);
/* Its dash pattern, 0 to 3. */
unsigned hd_svg_dashes(size_t strategy);

#endif
