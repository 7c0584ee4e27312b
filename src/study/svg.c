/* SPDX-License-Identifier: BSD-2-Clause
 *
 * svg.c - lines, text and axes. */
#include <math.h>

#include "report/junit/xml.h"
#include "study/plot.h"

int hd_svg_decades(double most)
{
    int n = most > 1 ? (int)ceil(log10(most) - 1e-9) : 1;

    return n < 1 ? 1 : n;
}

double hd_svg_at(const struct hd_log_axis *a, double value)
{
    return a->from + a->length * (value > 1 ? log10(value) : 0) / a->decades;
}

void hd_svg_open(FILE *out, const char *id, int width, int height, const char *title, const char *about)
{
    fprintf(out, "<svg id=\"%s\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
                 "aria-labelledby=\"%s-title %s-about\">\n<title id=\"%s-title\">", id, width, height, width,
            height, id, id, id);
    hd_xml_text(out, title);
    fprintf(out, "</title><desc id=\"%s-about\">", id);
    hd_xml_text(out, about);
    fputs("</desc>\n", out);
}

void hd_svg_close(FILE *out)
{
    fputs("</svg>\n", out);
}

void hd_svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
}

void hd_svg_text_as(FILE *out, const char *id, const char *class, double x, double y, const char *text)
{
    fprintf(out, "<text id=\"%s\" class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", id, class, x, y);
    hd_xml_text(out, text);
    fputs("</text>\n", out);
}

void hd_svg_text(FILE *out, const char *class, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", class, x, y, anchor);
    hd_xml_text(out, text);
    fputs("</text>\n", out);
}

/* 1, 10, 100, 1,000 ... and from a million on 1M, 10M. */
static void decade_text(char *buf, size_t cap, int decade)
{
    double n = pow(10, decade);

    if (decade < 6)
        hd_study_thousands(buf, cap, (uint64_t)n);
    else
        snprintf(buf, cap, "%.0fM", n / 1e6);
}

void hd_svg_decades_x(FILE *out, const struct hd_log_axis *a, double top, double bottom)
{
    char text[32];

    for (int d = 0; d <= a->decades; d++) {
        double x = hd_svg_at(a, pow(10, d));

        decade_text(text, sizeof text, d);
        hd_svg_line(out, "grid", x, top, x, bottom);
        hd_svg_text(out, "tick", x, bottom + 16, "middle", text);
    }
}

void hd_svg_decades_y(FILE *out, const struct hd_log_axis *a, double left, double right)
{
    char text[32];

    for (int d = 0; d <= a->decades; d++) {
        double y = hd_svg_at(a, pow(10, d));

        decade_text(text, sizeof text, d);
        hd_svg_line(out, "grid", left, y, right, y);
        hd_svg_text(out, "tick", left - 6, y + 4, "end", text);
    }
}

/* Multiples of the golden angle keep any number of hues apart. */
void hd_svg_hue(FILE *out, size_t strategy)
{
    fprintf(out, " style=\"--hue:%.0f\"", fmod(255 + 137.5 * (double)strategy, 360));
}

unsigned hd_svg_dashes(size_t strategy)
{
    return (unsigned)(strategy % 4);
}
