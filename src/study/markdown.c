/* SPDX-License-Identifier: BSD-2-Clause
 *
 * markdown.c - the tables as GitHub Markdown. */
#include <stdlib.h>

#include "base/memory.h"
#include "study/sheet.h"

/* Escapes characters that would end a cell or count as markup. */
static void cell_text(FILE *out, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '\n') {
            fputc(' ', out);
            continue;
        }
        if (*s == '|' || *s == '`' || *s == '*' || *s == '_' || *s == '<' || *s == '\\')
            fputc('\\', out);
        fputc(*s, out);
    }
}

static void show_cell(FILE *out, const struct hd_sheet_cell *c)
{
    bool strong = c->text[0] != '\0' && (c->mark == HD_MARK_BAD || c->mark == HD_MARK_WARN);

    fputs(strong ? " **" : " ", out);
    cell_text(out, c->text);
    fputs(strong ? "**" : "", out);
    if (c->below != NULL) {
        fputs("<br>", out);
        cell_text(out, c->below);
    }
    fputs(" |", out);
}

static void show(FILE *out, const struct hd_sheet *s)
{
    fprintf(out, "\n## %s\n\n%s\n\n", s->title, s->note);
    for (size_t i = 0; i < s->n; i++) {
        if (i % s->columns == 0)
            fputc('|', out);
        show_cell(out, &s->cell[i]);
        if (i % s->columns != s->columns - 1)
            continue;
        fputc('\n', out);
        if (i + 1 == s->columns) {
            for (size_t c = 0; c < s->columns; c++)
                fputs(hd_sheet_align(s, c) == 'r' ? "|--:" : "|---", out);
            fputs("|\n", out);
        }
    }
}

static void names_of(FILE *out, const struct hd_study *s, uint32_t strategies)
{
    const char *gap = "";

    for (size_t t = 0; t < s->strategies.n; t++)
        if (strategies >> t & 1) {
            fprintf(out, "%s%s", gap, s->strategies.name[t]);
            gap = ", ";
        }
    fputs(strategies == 0 ? "nobody" : "", out);
}

static void sets(FILE *out, const struct hd_study *s)
{
    struct hd_subset *subset = hd_zeroed(s->nprograms + 1, sizeof *subset);

    size_t n = hd_study_subsets(s, subset);

    fputs("\n## Which strategies find which programs\n\n| programs | found by exactly |\n|--:|---|\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "| %u | ", subset[i].programs);
        names_of(out, s, subset[i].strategies);
        fputs(" |\n", out);
    }
    free(subset);
}

void hd_study_markdown(FILE *out, const struct hd_study_report *r)
{
    struct hd_study_differences d = hd_study_differences(r);
    const struct hd_study *s = r->study;
    struct hd_sheets all;
    char limits[96];

    hd_study_limits(s, limits, sizeof limits);
    hd_sheets_make(&all, r);
    fprintf(out, "# Study of %s\n\n%zu programs, %zu strategies; at most %s for each cell.\n", r->list,
            s->nprograms, s->strategies.n, limits);
    if (d.same + d.open + d.differs > 0)
        fprintf(out, "Of the published numbers %zu agree, %zu differ (%zu of these unexplained), and for %zu ours "
                     "ended too early.\n", d.same, d.differs, d.unexplained, d.open);
    for (size_t i = 0; i < HD_SHEETS; i++) {
        if (hd_sheet_rows(&all.sheet[i]) > 0)
            show(out, &all.sheet[i]);
        if (i == 1)
            sets(out, s);
    }
    hd_sheets_free(&all);
}
