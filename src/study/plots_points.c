/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plots_points.c - plots with one point per program. */
#include <math.h>
#include <string.h>

#include "report/junit/xml.h"
#include "search/core/strategy.h"
#include "study/plot.h"

/* ---- two strategies --------------------------------------------------------------------------- */

enum { SC_W = 490, SC_H = 468, SC_LEFT = 66, SC_TOP = 56, SC_PLOT = 340, SC_NEVER = 46, SC_INSIDE = 12 };

/* Position on the axis, or on the line of programs that were not found. */
static double place(const struct hd_log_axis *a, double first)
{
    if (!isinf(first))
        return hd_svg_at(a, first);
    return a->from + a->length + (a->length > 0 ? SC_NEVER : -SC_NEVER);
}

/* `same`: number of earlier points at this position.  Points are spread like the seeds of a
 * sunflower. */
static void point(FILE *out, const char *name, double x, double y, unsigned same)
{
    double around = same * 2.4, radius = 3.4 * sqrt(same);

    fprintf(out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>", x + radius * cos(around),
            y + radius * sin(around));
    hd_xml_text(out, name);
    fputs("</title></circle>\n", out);
}

static unsigned same_before(const struct hd_study *s, size_t program, size_t x, size_t y)
{
    const struct hd_group *gx = hd_study_group(s, program, x), *gy = hd_study_group(s, program, y);
    unsigned n = 0;

    for (size_t p = 0; p < program; p++) {
        const struct hd_group *ox = hd_study_group(s, p, x), *oy = hd_study_group(s, p, y);

        n += ox->cells > 0 && oy->cells > 0 && ox->first == gx->first && oy->first == gy->first;
    }
    return n;
}

static void scatter_frame(FILE *out, const struct hd_log_axis *x, const struct hd_log_axis *y)
{
    double right = SC_LEFT + SC_PLOT, bottom = SC_TOP + SC_PLOT, below = bottom + SC_INSIDE;
    double left = SC_LEFT - SC_INSIDE, far = right + SC_NEVER, high = SC_TOP - SC_NEVER;

    hd_svg_decades_x(out, x, high, below);
    hd_svg_decades_y(out, y, left, far);
    hd_svg_line(out, "never", far, high, far, below);
    hd_svg_line(out, "never", left, high, far, high);
    hd_svg_line(out, "diagonal", SC_LEFT, bottom, right, SC_TOP);
    hd_svg_text(out, "tick", far, below + 16, "middle", "never");
    hd_svg_text(out, "tick", left - 6, high + 4, "end", "never");
}

void hd_plot_scatter(FILE *out, const struct hd_study *s, size_t x, size_t y)
{
    struct hd_log_axis ax = { SC_LEFT, SC_PLOT, hd_svg_decades((double)s->most) };
    struct hd_log_axis ay = { SC_TOP + SC_PLOT, -SC_PLOT, ax.decades };

    hd_svg_open(out, "plot-scatter", SC_W, SC_H, "Executions to the first bug, two strategies",
                "A point for each program. Above the diagonal the strategy of the horizontal axis is faster, below it "
                "the other.");
    scatter_frame(out, &ax, &ay);
    fprintf(out, "<g id=\"scatter-points\" data-left=\"%d\" data-bottom=\"%d\" data-size=\"%d\" data-decades=\"%d\" "
                 "data-never=\"%d\">\n", SC_LEFT, SC_TOP + SC_PLOT, SC_PLOT, ax.decades, SC_NEVER);
    for (size_t p = 0; p < s->nprograms; p++) {
        const struct hd_group *gx = hd_study_group(s, p, x), *gy = hd_study_group(s, p, y);

        if (gx->cells > 0 && gy->cells > 0)
            point(out, s->program[p]->name, place(&ax, gx->first), place(&ay, gy->first), same_before(s, p, x, y));
    }
    fputs("</g>\n", out);
    hd_svg_text_as(out, "scatter-x", "axis", SC_LEFT + SC_PLOT / 2.0, SC_H - 18, s->strategies.name[x]);
    hd_svg_text_as(out, "scatter-y", "axis turned", -(SC_TOP + SC_PLOT / 2.0), 14, s->strategies.name[y]);
    hd_svg_close(out);
}

/* ---- classes ---------------------------------------------------------------------------------- */

enum { CL_W = 620, CL_H = 330, CL_LEFT = 70, CL_RIGHT = 584, CL_TOP = 12, CL_BOTTOM = 276 };

static const struct hd_cell *cell_with(const struct hd_study *s, size_t program, bool classes)
{
    for (size_t t = 0; t < s->strategies.n; t++) {
        const struct hd_cell *c = hd_study_group(s, program, t)->cell;
        struct hd_traits traits = hd_strategy_traits(s->strategies.name[t]);
        bool every = traits.coverage == HD_COVERS_SCHEDULES && traits.bound == HD_BOUND_NONE;

        if (c != NULL && c->state == HD_CELL_DONE && (classes ? c->classes > 0 : every && c->executions > 0))
            return c;
    }
    return NULL;
}

bool hd_plot_classes(FILE *out, const struct hd_study *s)
{
    struct hd_log_axis x = { CL_LEFT, CL_RIGHT - CL_LEFT, 1 }, y = { CL_BOTTOM, CL_TOP - CL_BOTTOM, 1 };
    size_t n = 0;

    for (size_t p = 0; p < s->nprograms; p++) {
        const struct hd_cell *classes = cell_with(s, p, true), *dfs = cell_with(s, p, false);

        if (classes == NULL || dfs == NULL)
            continue;
        n++;
        x.decades = hd_svg_decades(fmax(pow(10, x.decades), (double)dfs->executions));
        y.decades = hd_svg_decades(fmax(pow(10, y.decades), (double)classes->classes));
    }
    if (n == 0)
        return false;
    hd_svg_open(out, "plot-classes", CL_W, CL_H, "Classes of equivalent executions against schedules",
                "A point for each program: the schedules that dfs has run, and the classes that they fall into. Hollow: "
                "dfs had not run all of them.");
    hd_svg_decades_x(out, &x, CL_TOP, CL_BOTTOM);
    hd_svg_decades_y(out, &y, CL_LEFT, CL_RIGHT);
    for (size_t p = 0; p < s->nprograms; p++) {
        const struct hd_cell *classes = cell_with(s, p, true), *dfs = cell_with(s, p, false);

        if (classes == NULL || dfs == NULL)
            continue;
        fprintf(out, "<circle class=\"point%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>",
                hd_cell_cut(dfs) != HD_CUT_NONE ? " open" : "", hd_svg_at(&x, (double)dfs->executions),
                hd_svg_at(&y, (double)classes->classes));
        hd_xml_text(out, s->program[p]->name);
        fprintf(out, ": %lld schedules, %lld classes</title></circle>\n", (long long)dfs->executions,
                (long long)classes->classes);
    }
    hd_svg_text(out, "axis", (CL_LEFT + CL_RIGHT) / 2.0, CL_H - 12, "middle", "schedules (dfs)");
    hd_svg_text(out, "axis turned", -(CL_TOP + CL_BOTTOM) / 2.0, 14, "middle", "classes");
    hd_svg_close(out);
    return true;
}

/* ---- rates ------------------------------------------------------------------------------------ */

enum { RA_W = 920, RA_LEFT = 170, RA_RIGHT = 880, RA_ROW = 26, RA_TOP = 8 };

void hd_plot_rates(FILE *out, const struct hd_study *s)
{
    double most = 10, bottom = RA_TOP + (double)s->strategies.n * RA_ROW;

    for (size_t i = 0; i < s->nprograms * s->strategies.n; i++)
        most = fmax(most, s->group[i].rate);
    struct hd_log_axis x = { RA_LEFT, RA_RIGHT - RA_LEFT, hd_svg_decades(most) };

    hd_svg_open(out, "plot-rates", RA_W, (int)bottom + 52, "Executions per second",
                "A mark for each program, a longer one for the median; the axis is logarithmic.");
    hd_svg_decades_x(out, &x, RA_TOP, bottom);
    for (size_t t = 0; t < s->strategies.n; t++) {
        double y = RA_TOP + ((double)t + 0.5) * RA_ROW, at = hd_svg_at(&x, s->sums[t].rate);

        hd_svg_text(out, "name ink", RA_LEFT - 8, y + 4, "end", s->strategies.name[t]);
        fputs("<g", out);
        hd_svg_hue(out, t);
        fputs(">", out);
        for (size_t p = 0; p < s->nprograms; p++) {
            const struct hd_group *g = hd_study_group(s, p, t);

            if (g->cells == 0)
                continue;
            fprintf(out, "<line class=\"rate\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"><title>",
                    hd_svg_at(&x, g->rate), hd_svg_at(&x, g->rate), y - 6, y + 6);
            hd_xml_text(out, s->program[p]->name);
            fprintf(out, ": %.0f</title></line>\n", g->rate);
        }
        if (s->sums[t].cells > 0)
            hd_svg_line(out, "rate median", at, y - 11, at, y + 11);
        fputs("</g>\n", out);
    }
    hd_svg_text(out, "axis", (RA_LEFT + RA_RIGHT) / 2.0, bottom + 40, "middle", "executions per second");
    hd_svg_close(out);
}
