/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html.c - the HTML page of a study: tables and plots, which work without the script, and
 * the data that the script needs to draw plots of other strategies.  Names are text in the
 * page, never markup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/junit/xml.h"
#include "report/verdict/result.h"
#include "study/plot.h"
#include "study/sheet.h"

/* The template: html/embed.S. */
extern const char hd_study_page[], hd_study_page_end[];
extern const char hd_study_style[], hd_study_style_end[];
extern const char hd_study_script[], hd_study_script_end[];

/* The strategies that the plots of two and of three strategies show at first. */
struct choice {
    size_t pair[2], three[3];
};

/* ---- parts ------------------------------------------------------------------------------------ */

static void cell(FILE *out, const struct hd_sheet *s, size_t i)
{
    static const char *const marks[] = { [HD_MARK_NONE] = "", [HD_MARK_GOOD] = " good", [HD_MARK_BAD] = " bad",
                                         [HD_MARK_WARN] = " warn", [HD_MARK_SOFT] = " soft" };
    const struct hd_sheet_cell *c = &s->cell[i];
    size_t column = i % s->columns;
    bool head = i < s->columns, first = column == 0;

    fprintf(out, "<%s class=\"%c%s\"%s>", head || first ? "th" : "td", hd_sheet_align(s, column), marks[c->mark],
            head ? " scope=\"col\"" : first ? " scope=\"row\"" : "");
    hd_xml_text(out, c->text);
    if (c->below != NULL) {
        fputs("<span class=\"below\">", out);
        hd_xml_text(out, c->below);
        fputs("</span>", out);
    }
    fputs(head || first ? "</th>" : "</td>", out);
}

static void section_open(FILE *out, const char *id, const char *title, const char *note)
{
    fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-head\">\n<h2 id=\"%s-head\">%s</h2>\n"
                 "<p class=\"note\">", id, id, id, title);
    hd_xml_text(out, note);
    fputs("</p>\n", out);
}

/* ---- plots ------------------------------------------------------------------------------------ */

static void figure_open(FILE *out, const char *caption)
{
    fputs("<figure><figcaption>", out);
    fputs(caption, out);
}

/* A list that the script fills. */
static void pick(FILE *out, const char *id, const char *label)
{
    fprintf(out, "<label>%s <select id=\"%s\"></select></label>", label, id);
}

static void plots_of_sets(FILE *out, const struct hd_study *s, const struct choice *c)
{
    static const char *const labels[] = { "First", "Second", "Third" };
    char id[16];

    section_open(out, "sets", "Which strategies find which programs",
                 "Programs by the strategies that find them, in any seed. Point at a bar to see their names.");
    fputs("<div class=\"plots\">\n", out);
    figure_open(out, "Each column: the number of programs that exactly these strategies find.</figcaption>"
                     "<div class=\"scroll\">\n");
    hd_plot_upset(out, s);
    fputs("</div></figure>\n", out);
    if (s->strategies.n >= 3) {
        figure_open(out, "Three of them.<span class=\"picks\">");
        for (unsigned i = 0; i < 3; i++) {
            snprintf(id, sizeof id, "pick-%u", i);
            pick(out, id, labels[i]);
        }
        fputs("</span></figcaption>\n", out);
        hd_plot_venn(out, s, c->three);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n</section>\n", out);
}

static void plots_of_points(FILE *out, const struct hd_study *s, const struct choice *c)
{
    section_open(out, "points", "Strategy against strategy",
                 "Executions to the first bug (with several seeds, the median), a point for each program.");
    fputs("<div class=\"plots\">\n", out);
    if (s->strategies.n >= 2) {
        figure_open(out, "<span class=\"picks\">");
        pick(out, "pick-x", "Across");
        pick(out, "pick-y", "Up");
        fputs("</span></figcaption>\n", out);
        hd_plot_scatter(out, s, c->pair[0], c->pair[1]);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n</section>\n", out);
}

static void plot_cumulative(FILE *out, const struct hd_study *s)
{
    section_open(out, "cumulative", "Bugs found over executions",
                 "Programs whose bug is found within this many executions, on average over the seeds. A line "
                 "ends where "
                 "the strategy was ended.");
    fputs("<figure><div class=\"scroll\">\n", out);
    hd_plot_cumulative(out, s);
    fputs("</div></figure>\n</section>\n", out);
}

static void plot_rates(FILE *out, const struct hd_study *s)
{
    figure_open(out, "Executions per second: a mark for each program, a thick one for the median.</figcaption>"
                     "<div class=\"scroll\">\n");
    hd_plot_rates(out, s);
    fputs("</div></figure>\n", out);
}

static void plot_classes(FILE *out, const struct hd_study *s)
{
    char *text = NULL;
    size_t size;
    FILE *plot = hd_memory_stream(&text, &size);

    bool some = hd_plot_classes(plot, s);

    fclose(plot);
    if (some) {
        figure_open(out, "A point for each program; hollow where dfs had not run all schedules.</figcaption>"
                         "<div class=\"scroll\">\n");
        fprintf(out, "%s</div></figure>\n", text);
    }
    free(text);
}

/* The plot of a table, between its note and the table. */
static void plot_of_table(FILE *out, const struct hd_study *s, const char *id)
{
    if (strcmp(id, "classes") == 0)
        plot_classes(out, s);
    else if (strcmp(id, "speed") == 0)
        plot_rates(out, s);
}

static void table(FILE *out, const struct hd_study *study, const struct hd_sheet *s)
{
    section_open(out, s->id, s->title, s->note);
    plot_of_table(out, study, s->id);
    fprintf(out, "<div class=\"wide%s\" tabindex=\"0\" role=\"region\" aria-labelledby=\"%s-head\"><table>\n<thead>",
            hd_sheet_rows(s) > 20 ? " tall" : "", s->id);
    for (size_t i = 0; i < s->n; i++) {
        if (i % s->columns == 0)
            fputs("<tr>", out);
        cell(out, s, i);
        if (i % s->columns == s->columns - 1)
            fputs(i + 1 == s->columns ? "</tr></thead>\n<tbody>\n" : "</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

/* ---- the page --------------------------------------------------------------------------------- */

static void contents(FILE *out, const struct hd_sheets *all)
{
    static const struct {
        const char *id, *title;
    } plots[] = { { "cumulative", "Bugs found over executions" }, { "sets", "Which strategies find which programs" },
                  { "points", "Strategy against strategy" } };

    fputs("<nav aria-label=\"Contents\">", out);
    for (size_t i = 0; i < HD_SHEETS; i++) {
        if (hd_sheet_rows(&all->sheet[i]) > 0)
            fprintf(out, "<a href=\"#%s\">%s</a>", all->sheet[i].id, all->sheet[i].title);
        for (size_t k = 0; i == 1 && k < sizeof plots / sizeof *plots; k++)
            fprintf(out, "<a href=\"#%s\">%s</a>", plots[k].id, plots[k].title);
    }
    fputs("</nav>\n", out);
}

static void top(FILE *out, const struct hd_study_report *r)
{
    struct hd_study_differences d = hd_study_differences(r);
    const struct hd_study *s = r->study;
    size_t cells = 0, failed = 0;
    char limits[96];

    for (size_t t = 0; t < s->strategies.n; t++) {
        cells += s->sums[t].cells + s->sums[t].failed;
        failed += s->sums[t].failed;
    }
    hd_study_limits(s, limits, sizeof limits);
    fputs("<header class=\"top\"><div class=\"brand\" aria-hidden=\"true\"><i></i><i></i><i></i><i></i></div>"
          "<div class=\"head\"><h1>Study of ", out);
    hd_xml_text(out, r->list);
    fprintf(out, "</h1><p>%zu programs, %zu strategies, %zu cells of at most %s.", s->nprograms, s->strategies.n, cells,
            limits);
    if (d.same + d.open + d.differs > 0)
        fprintf(out, " Of the published numbers %zu agree, %zu differ, and for %zu ours ended too early.", d.same,
                d.differs, d.open);
    fputs("</p>", out);
    if (failed > 0)
        fprintf(out, "<p class=\"alarm\">%zu cells failed: <a href=\"#trouble\">which</a></p>", failed);
    if (d.unexplained > 0)
        fprintf(out, "<p class=\"alarm\">%zu differences are <a href=\"#differences\">unexplained</a></p>",
                d.unexplained);
    fputs("</div><button type=\"button\" id=\"theme\">Dark</button></header>\n", out);
}

static void body(FILE *out, const struct hd_study_report *r, const struct choice *c)
{
    struct hd_sheets all;

    hd_sheets_make(&all, r);
    top(out, r);
    contents(out, &all);
    fputs("<main>\n", out);
    for (size_t i = 0; i < HD_SHEETS; i++) {
        const struct hd_sheet *s = &all.sheet[i];

        if (hd_sheet_rows(s) > 0)
            table(out, r->study, s);
        if (i == 1) {
            plot_cumulative(out, r->study);
            plots_of_sets(out, r->study, c);
            plots_of_points(out, r->study, c);
        }
    }
    fputs("</main>\n", out);
    hd_sheets_free(&all);
}

static void first_json(struct hd_json *j, const struct hd_group *g)
{
    if (g->cells == 0)
        hd_json_null(j);
    else if (isinf(g->first))
        hd_json_string(j, "never");
    else
        hd_json_double(j, g->first, 15);
}

static void found_json(struct hd_json *j, const struct hd_group *g)
{
    if (g->cells == 0)
        hd_json_null(j);
    else
        hd_json_uint(j, g->found > 0);
}

static void matrix_json(struct hd_json *j, const struct hd_study *s, const char *key,
                        void (*one)(struct hd_json *j, const struct hd_group *g))
{
    hd_json_put_array(hd_json_line(j), key);
    for (size_t p = 0; p < s->nprograms; p++) {
        hd_json_array(hd_json_line(j));
        for (size_t t = 0; t < s->strategies.n; t++)
            one(j, hd_study_group(s, p, t));
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void numbers(struct hd_json *j, const char *key, const size_t *n, size_t count)
{
    hd_json_put_array(hd_json_line(j), key);
    for (size_t i = 0; i < count; i++)
        hd_json_uint(j, n[i]);
    hd_json_end(j);
}

static void data_json(struct hd_json *j, const struct hd_study *s, const struct choice *c)
{
    hd_json_object(j);
    hd_json_put_array(j, "strategies");
    for (size_t t = 0; t < s->strategies.n; t++)
        hd_json_string(j, s->strategies.name[t]);
    hd_json_end(j);
    hd_json_put_array(hd_json_line(j), "programs");
    for (size_t p = 0; p < s->nprograms; p++)
        hd_json_string(j, s->program[p]->name);
    hd_json_end(j);
    matrix_json(j, s, "first", first_json);
    matrix_json(j, s, "found", found_json);
    numbers(j, "pair", c->pair, 2);
    numbers(j, "three", c->three, 3);
    hd_json_end(j);
}

/* In a JSON string inside a script element, < could start the closing tag. */
static void data(FILE *out, const struct hd_study *s, const struct choice *c)
{
    struct hd_json j;
    char *text = NULL;
    size_t size;

    hd_json_open(&j, hd_memory_stream(&text, &size), 0);
    data_json(&j, s, c);
    fclose(j.out);
    for (const char *at = text; *at != '\0'; at++)
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
    free(text);
}

/* Writes the template up to the marker; returns the position after it. */
static const char *put_until(FILE *out, const char *at, const char *marker)
{
    const char *found = memmem(at, (size_t)(hd_study_page_end - at), marker, strlen(marker));

    HD_INVARIANT(found != NULL, "the template of a study's page lacks a marker");
    fwrite(at, 1, (size_t)(found - at), out);
    return found + strlen(marker);
}

/* Returns the two strategies that find most, and a third one. */
static struct choice choose(const struct hd_study *s)
{
    size_t order[HD_STUDY_STRATEGIES] = { 0 }, n = s->strategies.n;

    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && s->sums[order[at - 1]].found < s->sums[i].found; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return (struct choice){ { order[0], order[n > 1 ? 1 : 0] },
                            { order[0], order[n > 1 ? 1 : 0], order[n > 2 ? 2 : 0] } };
}

void hd_study_html(FILE *out, const struct hd_study_report *r)
{
    struct choice c = choose(r->study);
    const char *at = put_until(out, hd_study_page, "/*STYLE*/");

    fwrite(hd_study_style, 1, (size_t)(hd_study_style_end - hd_study_style), out);
    at = put_until(out, at, "<!--BODY-->");
    body(out, r, &c);
    at = put_until(out, at, "/*DATA*/");
    data(out, r->study, &c);
    at = put_until(out, at, "/*SCRIPT*/");
    fwrite(hd_study_script, 1, (size_t)(hd_study_script_end - hd_study_script), out);
    fwrite(at, 1, (size_t)(hd_study_page_end - at), out);
}
