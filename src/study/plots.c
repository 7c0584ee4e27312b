/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plots.c - curves and sets: how much each strategy finds. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/junit/xml.h"
#include "study/plot.h"

/* ---- cumulative ------------------------------------------------------------------------------- */

enum { CUM_W = 920, CUM_H = 430, CUM_LEFT = 52, CUM_RIGHT = 750, CUM_TOP = 14, CUM_BOTTOM = 372 };

struct curve {
    size_t strategy;
    double end;   /* number of programs */
    double label; /* position of its name */
};

static double programs_y(const struct hd_study *s, double programs)
{
    return CUM_BOTTOM - (CUM_BOTTOM - CUM_TOP) * programs / (double)(s->nprograms > 0 ? s->nprograms : 1);
}

static void programs_axis(FILE *out, const struct hd_study *s)
{
    size_t step = s->nprograms > 60 ? 20 : s->nprograms > 12 ? 10 : s->nprograms > 6 ? 2 : 1;
    char text[24];

    for (size_t n = 0; n <= s->nprograms; n += step) {
        double y = programs_y(s, (double)n);

        snprintf(text, sizeof text, "%zu", n);
        hd_svg_line(out, "grid", CUM_LEFT, y, CUM_RIGHT, y);
        hd_svg_text(out, "tick", CUM_LEFT - 6, y + 4, "end", text);
    }
    hd_svg_line(out, "limit", CUM_LEFT, CUM_TOP, CUM_RIGHT, CUM_TOP);
}

/* The number of executions up to which the strategy was run. */
static double run_to(const struct hd_study *s, size_t strategy)
{
    double most = 1;

    for (size_t p = 0; p < s->nprograms; p++) {
        const struct hd_group *g = hd_study_group(s, p, strategy);

        if (g->cells > 0 && (double)(g->executions / g->cells) > most)
            most = (double)(g->executions / g->cells);
    }
    return most;
}

static double draw_curve(FILE *out, const struct hd_study *s, const struct hd_log_axis *x, size_t strategy,
                         struct hd_step *step)
{
    size_t n = hd_study_cumulative(s, strategy, step);
    double programs = 0;

    fputs("<g class=\"curve\"", out);
    hd_svg_hue(out, strategy);
    fputs("><title>", out);
    hd_xml_text(out, s->strategies.name[strategy]);
    fprintf(out, "</title><path class=\"dash-%u\" d=\"M%.1f %.1f", hd_svg_dashes(strategy), hd_svg_at(x, 1),
            programs_y(s, 0));
    for (size_t i = 0; i < n; i++) {
        programs = step[i].programs;
        fprintf(out, "H%.1fV%.1f", hd_svg_at(x, step[i].executions), programs_y(s, programs));
    }
    fprintf(out, "H%.1f\"/></g>\n", hd_svg_at(x, run_to(s, strategy)));
    return programs;
}

static int compare_ends(const void *pa, const void *pb)
{
    const struct curve *a = pa, *b = pb;

    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->strategy > b->strategy) - (a->strategy < b->strategy);
}

/* Places the names beside the ends of the curves.  Names that are too close are pushed apart, from the top down;
 * then, if the last ones would leave the plot, from the bottom up. */
static void name_curves(FILE *out, const struct hd_study *s, struct curve *curve)
{
    const double gap = 17;
    size_t n = s->strategies.n;
    char text[160];

    qsort(curve, n, sizeof *curve, compare_ends);
    for (size_t i = 0; i < n; i++) {
        curve[i].label = programs_y(s, curve[i].end);
        if (i > 0 && curve[i].label < curve[i - 1].label + gap)
            curve[i].label = curve[i - 1].label + gap;
    }
    double lowest = CUM_BOTTOM;

    for (size_t i = n; i-- > 0; lowest = curve[i].label - gap)
        if (curve[i].label > lowest)
            curve[i].label = lowest;
    for (size_t i = 0; i < n; i++) {
        fputs("<g", out);
        hd_svg_hue(out, curve[i].strategy);
        fputs(">", out);
        snprintf(text, sizeof text, "key dash-%u", hd_svg_dashes(curve[i].strategy));
        hd_svg_line(out, text, CUM_RIGHT + 8, curve[i].label, CUM_RIGHT + 34, curve[i].label);
        snprintf(text, sizeof text, "%s  %.3g", s->strategies.name[curve[i].strategy], curve[i].end);
        hd_svg_text(out, "name", CUM_RIGHT + 40, curve[i].label + 4, "start", text);
        fputs("</g>\n", out);
    }
}

void hd_plot_cumulative(FILE *out, const struct hd_study *s)
{
    struct hd_log_axis x = { CUM_LEFT, CUM_RIGHT - CUM_LEFT, hd_svg_decades((double)s->most) };
    struct curve curve[HD_STUDY_STRATEGIES];
    struct hd_step *step = hd_zeroed(s->cells.n + 1, sizeof *step);

    hd_svg_open(out, "plot-cumulative", CUM_W, CUM_H, "Programs found within this many executions",
                "One line for each strategy; the executions are on a logarithmic axis. The table of strategies "
                "has the ends of the lines.");
    hd_svg_decades_x(out, &x, CUM_TOP, CUM_BOTTOM);
    programs_axis(out, s);
    for (size_t t = 0; t < s->strategies.n; t++)
        curve[t] = (struct curve){ .strategy = t, .end = draw_curve(out, s, &x, t, step) };
    name_curves(out, s, curve);
    hd_svg_text(out, "axis", (CUM_LEFT + CUM_RIGHT) / 2.0, CUM_H - 12, "middle", "executions of each program");
    hd_svg_text(out, "axis turned", -(CUM_TOP + CUM_BOTTOM) / 2.0, 14, "middle", "programs found");
    hd_svg_close(out);
    free(step);
}

/* ---- UpSet ------------------------------------------------------------------------------------ */

enum { UP_CELL = 26, UP_NAMES = 170, UP_BARS = 120, UP_TOP = 150, UP_COLUMNS = 24 };

static void upset_rows(FILE *out, const struct hd_study *s, size_t columns)
{
    double left = UP_NAMES + UP_BARS, right = left + (double)columns * UP_CELL;
    char text[24];

    for (size_t t = 0; t < s->strategies.n; t++) {
        double y = UP_TOP + (double)t * UP_CELL, found = s->sums[t].found;
        double bar = (UP_BARS - 34) * found / (double)(s->nprograms > 0 ? s->nprograms : 1);

        if (t % 2 == 0)
            fprintf(out, "<rect class=\"stripe\" x=\"0\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", y, right,
                    UP_CELL);
        hd_svg_text(out, "name ink", UP_NAMES - 8, y + UP_CELL / 2.0 + 4, "end", s->strategies.name[t]);
        fputs("<g", out);
        hd_svg_hue(out, t);
        fprintf(out, "><rect class=\"bar\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/></g>\n", UP_NAMES,
                y + 6, bar, UP_CELL - 12);
        snprintf(text, sizeof text, "%.0f", found);
        hd_svg_text(out, "tick", UP_NAMES + bar + 5, y + UP_CELL / 2.0 + 4, "start", text);
    }
}

static void upset_dots(FILE *out, const struct hd_study *s, double x, uint32_t strategies)
{
    int first = -1, last = -1;

    for (size_t t = 0; t < s->strategies.n; t++)
        if (strategies >> t & 1) {
            first = first < 0 ? (int)t : first;
            last = (int)t;
        }
    if (first < last)
        hd_svg_line(out, "join", x, UP_TOP + (first + 0.5) * UP_CELL, x, UP_TOP + (last + 0.5) * UP_CELL);
    for (size_t t = 0; t < s->strategies.n; t++)
        fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>\n",
                strategies >> t & 1 ? "dot" : "dot off", x, UP_TOP + ((double)t + 0.5) * UP_CELL);
}

/* A tooltip over the bar lists the programs. */
static void upset_column(FILE *out, const struct hd_study *s, const struct hd_subset *set, double x, double most)
{
    double height = (UP_TOP - 40) * set->programs / most;
    char text[24];

    fputs("<g class=\"column\"><title>", out);
    for (size_t p = 0, n = 0; p < s->nprograms; p++)
        if (hd_study_known(s, p) && hd_study_found_by(s, p) == set->strategies) {
            hd_xml_text(out, n++ > 0 ? ", " : "");
            hd_xml_text(out, s->program[p]->name);
        }
    fprintf(out, "</title><rect class=\"bar plain\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", x - 8,
            UP_TOP - 10 - height, 16, height);
    snprintf(text, sizeof text, "%u", set->programs);
    hd_svg_text(out, "tick", x, UP_TOP - 15 - height, "middle", text);
    upset_dots(out, s, x, set->strategies);
    fputs("</g>\n", out);
}

void hd_plot_upset(FILE *out, const struct hd_study *s)
{
    struct hd_subset *subset = hd_zeroed(s->nprograms + 1, sizeof *subset);

    size_t n = hd_study_subsets(s, subset), shown = n < UP_COLUMNS ? n : UP_COLUMNS;
    char left_out[64];

    hd_svg_open(out, "plot-upset", UP_NAMES + UP_BARS + (int)shown * UP_CELL + 10,
                UP_TOP + (int)s->strategies.n * UP_CELL + 26, "Programs by the strategies that find them",
                "Each column is a set of strategies, marked by dots; its bar is the number of programs that "
                "exactly these find. The bars on the left are the programs that each strategy finds.");
    upset_rows(out, s, shown);
    for (size_t i = 0; i < shown; i++)
        upset_column(out, s, &subset[i], UP_NAMES + UP_BARS + ((double)i + 0.5) * UP_CELL, subset[0].programs);
    if (shown < n) {
        snprintf(left_out, sizeof left_out, "%zu smaller sets are not shown", n - shown);
        hd_svg_text(out, "tick", UP_NAMES + UP_BARS, UP_TOP + (double)s->strategies.n * UP_CELL + 18, "start",
                    left_out);
    }
    hd_svg_close(out);
    free(subset);
}

/* ---- Venn ------------------------------------------------------------------------------------- */

/* Number of programs that exactly the strategies of these bits found, among programs for
 * which one of the three has a result. */
static unsigned exactly(const struct hd_study *s, const size_t three[3], unsigned bits)
{
    unsigned n = 0;

    for (size_t p = 0; p < s->nprograms; p++) {
        unsigned found = 0, cells = 0;

        for (unsigned i = 0; i < 3; i++) {
            found |= (hd_study_found_by(s, p) >> three[i] & 1) << i;
            cells += hd_study_group(s, p, three[i])->cells;
        }
        n += found == bits && cells > 0;
    }
    return n;
}

void hd_plot_venn(FILE *out, const struct hd_study *s, const size_t three[3])
{
    static const double centre[3][2] = { { 150, 130 }, { 250, 130 }, { 200, 216 } };
    static const double name[3][2] = { { 64, 26 }, { 336, 26 }, { 200, 334 } };
    static const double number[8][2] = { { 372, 330 }, { 108, 112 }, { 292, 112 }, { 200, 98 },
                                         { 200, 262 }, { 146, 190 }, { 254, 190 }, { 200, 160 } };
    char id[32], text[24];

    hd_svg_open(out, "plot-venn", 400, 350, "Programs found by three strategies",
                "A circle for each of three strategies; the numbers are programs. The number in the corner is "
                "that of programs that none of them finds.");
    for (unsigned i = 0; i < 3; i++) {
        fprintf(out, "<g id=\"venn-circle-%u\"", i);
        hd_svg_hue(out, three[i]);
        fprintf(out, "><circle class=\"set\" cx=\"%.0f\" cy=\"%.0f\" r=\"92\"/>\n", centre[i][0], centre[i][1]);
        snprintf(id, sizeof id, "venn-name-%u", i);
        hd_svg_text_as(out, id, "name", name[i][0], name[i][1], s->strategies.name[three[i]]);
        fputs("</g>\n", out);
    }
    for (unsigned bits = 0; bits < 8; bits++) {
        snprintf(id, sizeof id, "venn-%u", bits);
        snprintf(text, sizeof text, "%u", exactly(s, three, bits));
        hd_svg_text_as(out, id, "count", number[bits][0], number[bits][1], text);
    }
    hd_svg_close(out);
}
