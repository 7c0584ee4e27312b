/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plot.c - executions over time.  The browser stretches the shapes to the width of the page, so the labels are
 * separate elements. */
#include <math.h>

#include "serve/pages_parts.h"
#include "serve/text.h"

void hd_plot_spark(FILE *out, const int64_t *n, size_t count)
{
    int64_t most = 0;

    for (size_t i = 0; i < count; i++)
        most = n[i] > most ? n[i] : most;
    if (most == 0)
        return;
    fprintf(out, "<svg class=\"spark\" viewBox=\"0 0 %zu 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"M0 20", count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "V%.1fH%zu", 20 - 19 * (double)(n[i] > 0 ? n[i] : 0) / (double)most, i + 1);
    fputs("V20Z\"/></svg>", out);
}

/* Returns the smallest round number that is at least x and has a round half. */
static double round_up(double x)
{
    static const double round[] = { 1, 1.2, 1.6, 2, 3, 4, 5, 6, 8 };
    double unit = pow(10, floor(log10(x)));

    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        if (unit * round[i] >= x * (1 - 1e-9))
            return unit * round[i];
    return 10 * unit;
}

static double rate_of(const struct hd_view_rate *r, size_t i)
{
    return (double)r->executions[i] / r->width;
}

static void bars(FILE *out, const struct hd_view_rate *r, double most)
{
    for (size_t i = 0; i < r->n; i++) {
        double height = 100 * rate_of(r, i) / most;

        fprintf(out, "<g class=\"column\"><rect class=\"room\" x=\"%zu\" y=\"0\" width=\"1\" height=\"100\"/>"
                     "<rect class=\"rate\" x=\"%zu\" y=\"%.2f\" width=\"1\" height=\"%.2f\"/><title>", i, i, 100 - height, height);
        hd_put_about(out, rate_of(r, i));
        fputs(" executions per second, ", out);
        hd_put_duration(out, (double)i * r->width);
        fputs(" to ", out);
        hd_put_duration(out, (double)(i + 1) * r->width);
        fputs(" after the start</title></g>\n", out);
    }
}

static void marks(FILE *out, const struct hd_whole *w)
{
    const struct hd_view_rate *r = w->rate;

    for (size_t i = 0; i < w->findings->n; i++) {
        double x = (w->findings->list[i].at - r->begin) / r->width;

        if (!isfinite(x))
            continue;
        x = fmin(fmax(x, 0), (double)r->n);
        fprintf(out, "<g class=\"found\"><line x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"100\"/><title>", x, x);
        hd_put_text(out, w->findings->list[i].kind);
        fputs(": ", out);
        hd_put_text(out, w->findings->list[i].message);
        fputs("</title></g>\n", out);
    }
}

static void scale(FILE *out, double most)
{
    fputs("<div class=\"scale\" aria-hidden=\"true\">", out);
    for (int i = 2; i >= 0; i--) {
        fputs("<span>", out);
        hd_put_about(out, most * i / 2);
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
}

static void times(FILE *out, const struct hd_view_rate *r)
{
    enum { TICKS = 4 };

    fputs("<div class=\"times\" aria-hidden=\"true\">", out);
    for (int i = 0; i <= TICKS; i++) {
        fputs("<span>", out);
        if (i == 0)
            fputs("start", out);
        else
            hd_put_duration(out, r->width * (double)r->n * i / TICKS);
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
}

void hd_plot_rate(FILE *out, const struct hd_whole *w)
{
    const struct hd_view_rate *r = w->rate;
    double most = 0;

    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, rate_of(r, i));
    if (!(most > 0) || !isfinite(most)) {
        fputs("<p class=\"note\">No worker has committed a result yet.</p>\n", out);
        return;
    }
    most = round_up(most);
    fputs("<figure id=\"rate\">\n", out);
    scale(out, most);
    fprintf(out, "<svg class=\"plot\" viewBox=\"0 0 %zu 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Executions per "
                 "second over time\">\n<g class=\"grid\"><line x1=\"0\" y1=\"0\" x2=\"%zu\" y2=\"0\"/><line x1=\"0\" y1=\"50\" x2=\"%zu\" "
                 "y2=\"50\"/><line x1=\"0\" y1=\"100\" x2=\"%zu\" y2=\"100\"/></g>\n", r->n, r->n, r->n, r->n);
    bars(out, r, most);
    marks(out, w);
    fputs("</svg>\n", out);
    times(out, r);
    fputs("</figure>\n", out);
}
