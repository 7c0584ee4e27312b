/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tables.c - the tables of a study.  Failed cells are named in every table: an empty field
 * or a cross would look like "no bug". */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "study/sheet.h"

static void heads(struct hd_sheet *s, const char *const *names)
{
    for (; *names != NULL; names++, s->columns++)
        hd_sheet_add(s, HD_MARK_NONE, "%s", *names);
}

static void strategy_heads(struct hd_sheet *s, const struct hd_study *study)
{
    for (size_t t = 0; t < study->strategies.n; t++, s->columns++)
        hd_sheet_add(s, HD_MARK_NONE, "%s", study->strategies.name[t]);
}

static void program_cell(struct hd_sheet *s, const struct hd_study_program *p)
{
    hd_sheet_add(s, HD_MARK_NONE, "%s", p->name);
}

/* One row per program, one column per strategy. */
static void matrix(struct hd_sheet *s, const struct hd_study_report *r,
                   void (*cell)(struct hd_sheet *s, const struct hd_study_report *r, size_t p, size_t t))
{
    heads(s, (const char *const[]){ "program", NULL });
    strategy_heads(s, r->study);
    for (size_t p = 0; p < r->study->nprograms; p++) {
        program_cell(s, r->study->program[p]);
        for (size_t t = 0; t < r->study->strategies.n; t++)
            cell(s, r, p, t);
    }
}

/* Adds the text for a group without a result; false if it has one. */
static bool without_result(struct hd_sheet *s, const struct hd_group *g)
{
    if (g->cells > 0)
        return false;
    hd_sheet_add(s, g->cell != NULL ? HD_MARK_BAD : HD_MARK_SOFT, "%s",
                 g->cell != NULL ? hd_cell_state_text(g->cell->state) : "");
    return true;
}

/* ---- the strategies --------------------------------------------------------------------------- */

static void strategies(struct hd_sheet *s, const struct hd_study_report *r)
{
    const struct hd_study *study = r->study;
    char needed[32], first[32], share[48], rate[32];

    *s = (struct hd_sheet){ .id = "strategies", .title = "Strategies", .align = "lr",
        .note = "Found: programs whose bug at least one seed has found; beside it, what is published. Of the cells: how many found it, "
                "with Wilson's 95% interval. Executions in all: up to the bug, or all where it was not found, "
                "summed over the programs, for one seed. The first execution and executions/s: medians over the programs." };
    heads(s, (const char *const[]){ "strategy", "found", "of", "published", "seeds", "of the cells", "executions in all",
                                    "median first", "seconds", "executions/s", "failed", NULL });
    for (size_t t = 0; t < study->strategies.n; t++) {
        const struct hd_strategy_sums *sum = &study->sums[t];
        struct hd_published_found published = hd_published_found(r->published, study, study->strategies.name[t]);

        hd_study_thousands(needed, sizeof needed, sum->needed);
        hd_study_first(first, sizeof first, sum->median);
        if (sum->samples)
            hd_study_share(share, sizeof share, sum->cells_found, sum->cells);
        else
            snprintf(share, sizeof share, "%s", "");
        hd_sheet_add(s, HD_MARK_NONE, "%s", study->strategies.name[t]);
        hd_sheet_add(s, HD_MARK_NONE, "%u", sum->found);
        hd_sheet_add(s, HD_MARK_NONE, "%u", sum->programs);
        if (published.of > 0)
            hd_sheet_add(s, HD_MARK_NONE, "%u of %u", published.found, published.of);
        else
            hd_sheet_add(s, HD_MARK_SOFT, "%s", "");
        hd_sheet_add(s, HD_MARK_NONE, "%u", sum->seeds);
        hd_sheet_add(s, HD_MARK_NONE, "%s", share);
        hd_sheet_add(s, HD_MARK_NONE, "%s", needed);
        hd_sheet_add(s, HD_MARK_NONE, "%s", first);
        hd_sheet_add(s, HD_MARK_NONE, "%.1f", sum->seconds);
        hd_study_thousands(rate, sizeof rate, (uint64_t)sum->rate);
        hd_sheet_add(s, HD_MARK_NONE, "%s", rate);
        hd_sheet_add(s, sum->failed > 0 ? HD_MARK_BAD : HD_MARK_SOFT, "%u", sum->failed);
    }
}

/* ---- the counts ------------------------------------------------------------------------------- */

static void counts_cell(struct hd_sheet *s, const struct hd_study_report *r, size_t p, size_t t)
{
    const struct hd_group *g = hd_study_group(r->study, p, t);
    struct hd_comparison c;
    char counts[96];

    if (without_result(s, g))
        return;
    hd_study_counts(g, counts, sizeof counts);
    hd_published_compare(r->published, r->study->program[p]->name, r->study->strategies.name[t], g, &c);
    hd_sheet_add(s, g->failed + g->other > 0                              ? HD_MARK_BAD
                    : c.match == HD_MATCH_DIFFERS && c.reason == NULL     ? HD_MARK_WARN
                    : g->found > 0                                        ? HD_MARK_NONE : HD_MARK_SOFT,
                 "%s%s", counts, g->other > 0 ? " (another kind)" : "");
    if (c.match != HD_MATCH_NONE)
        hd_sheet_below(s, "%s%s", c.match == HD_MATCH_SAME ? "= " : c.match == HD_MATCH_OPEN ? "… " : "≠ ",
                       c.text);
}

static void counts(struct hd_sheet *s, const struct hd_study_report *r)
{
    *s = (struct hd_sheet){ .id = "counts", .title = "Counts", .align = "lr",
        .note = "bound/first/total/new/buggy of bounded searches, first/total/buggy of the others: the bound "
                "reached, the first execution with the bug, all executions, those at that bound, and those that "
                "fail (at that bound). ✗: not found. L: the limit of executions. +: ended by its time. "
                "With several seeds, the median of the first and the sums of those that went on after it. "
                "Below, what is published: = agrees, ≠ differs, … ours ended too early to tell." };
    matrix(s, r, counts_cell);
}

/* ---- buggy of N ------------------------------------------------------------------------------- */

static void buggy_cell(struct hd_sheet *s, const struct hd_study_report *r, size_t p, size_t t)
{
    const struct hd_group *g = hd_study_group(r->study, p, t);
    char share[48];

    if (without_result(s, g))
        return;
    hd_study_share(share, sizeof share, g->found, g->cells);
    if (!g->cell->samples) {
        hd_sheet_add(s, g->found > 0 ? HD_MARK_NONE : HD_MARK_SOFT, "%s", g->found > 0 ? "yes" : "no");
        return;
    }
    hd_sheet_add(s, g->found == g->cells ? HD_MARK_NONE : g->found == 0 ? HD_MARK_SOFT : HD_MARK_WARN,
                 "%u of %u", g->found, g->cells);
    if (g->cells > 1)
        hd_sheet_more(s, ": %s", share);
    if (g->sampled == 0)
        return;
    hd_study_share(share, sizeof share, g->buggy, g->sampled);
    hd_sheet_below(s, "%s", share);
}

static void buggy(struct hd_sheet *s, const struct hd_study_report *r)
{
    *s = (struct hd_sheet){ .id = "buggy", .title = "Buggy of N", .align = "lr",
        .note = "In how many seeds the bug was found, and below, where cells went on after it, the share of "
                "executions that fail; each with Wilson's 95% interval. For deterministic strategies: whether "
                "they found it." };
    matrix(s, r, buggy_cell);
}

/* ---- speed ------------------------------------------------------------------------------------ */

static void speed_cell(struct hd_sheet *s, const struct hd_study_report *r, size_t p, size_t t)
{
    const struct hd_group *g = hd_study_group(r->study, p, t);
    char rate[32];

    if (without_result(s, g))
        return;
    hd_study_thousands(rate, sizeof rate, (uint64_t)g->rate);
    hd_sheet_add(s, HD_MARK_NONE, "%.2f s", g->seconds / g->cells);
    hd_sheet_below(s, "%s/s", rate);
}

static void speed(struct hd_sheet *s, const struct hd_study_report *r)
{
    *s = (struct hd_sheet){ .id = "speed", .title = "Time and executions per second", .align = "lr",
        .note = "Seconds of one cell (mean over the seeds), starting the program included; below, executions "
                "per second. Cells ran side by side where the study had several jobs." };
    matrix(s, r, speed_cell);
}

/* ---- classes ---------------------------------------------------------------------------------- */

static const struct hd_cell *with_classes(const struct hd_study *study, size_t p)
{
    for (size_t t = 0; t < study->strategies.n; t++) {
        const struct hd_cell *c = hd_study_group(study, p, t)->cell;

        if (c != NULL && c->state == HD_CELL_DONE && c->classes > 0)
            return c;
    }
    return NULL;
}

static void classes(struct hd_sheet *s, const struct hd_study_report *r)
{
    char n[32];

    *s = (struct hd_sheet){ .id = "classes", .title = "Classes against schedules", .align = "lr",
        .note = "Classes of equivalent executions, of the strategy that counts them; beside it the schedules "
                "that the others have run (+: it had not run all of them)." };
    heads(s, (const char *const[]){ "program", "classes", NULL });
    strategy_heads(s, r->study);
    for (size_t p = 0; p < r->study->nprograms; p++) {
        const struct hd_cell *known = with_classes(r->study, p);

        if (known == NULL)
            continue;
        program_cell(s, r->study->program[p]);
        hd_study_thousands(n, sizeof n, (uint64_t)known->classes);
        hd_sheet_add(s, HD_MARK_NONE, "%s", n);
        for (size_t t = 0; t < r->study->strategies.n; t++) {
            const struct hd_cell *c = hd_study_group(r->study, p, t)->cell;
            bool done = c != NULL && c->state == HD_CELL_DONE;

            hd_study_thousands(n, sizeof n, done ? (uint64_t)c->executions : 0);
            hd_sheet_add(s, done ? HD_MARK_NONE : HD_MARK_SOFT, "%s%s", done ? n : "",
                         done && hd_cell_cut(c) != HD_CUT_NONE ? "+" : "");
        }
    }
}

/* ---- differences ------------------------------------------------------------------------------ */

static void difference(struct hd_sheet *s, const struct hd_study_report *r, size_t p, size_t t)
{
    const struct hd_group *g = hd_study_group(r->study, p, t);
    struct hd_comparison c;
    char ours[96];

    hd_published_compare(r->published, r->study->program[p]->name, r->study->strategies.name[t], g, &c);
    if (c.match != HD_MATCH_DIFFERS)
        return;
    hd_study_counts(g, ours, sizeof ours);
    program_cell(s, r->study->program[p]);
    hd_sheet_add(s, HD_MARK_NONE, "%s", r->study->strategies.name[t]);
    hd_sheet_add(s, HD_MARK_NONE, "%s", ours);
    hd_sheet_add(s, HD_MARK_NONE, "%s", c.text);
    hd_sheet_add(s, HD_MARK_NONE, "%s", c.clean ? "clean" : "hard");
    hd_sheet_add(s, c.reason != NULL ? HD_MARK_NONE : c.clean ? HD_MARK_BAD : HD_MARK_WARN, "%s",
                 c.reason != NULL ? c.reason : "unexplained");
}

static void differences(struct hd_sheet *s, const struct hd_study_report *r)
{
    *s = (struct hd_sheet){ .id = "differences", .title = "Differences from what is published",
        .align = "llrrll",
        .note = "Systematic searches differ when a number does; samples, when the 95% intervals of their shares "
                "of buggy executions do not meet. Readable: whether the source could be read cleanly." };
    heads(s, (const char *const[]){ "program", "strategy", "ours", "published", "readable", "reason", NULL });
    for (size_t p = 0; p < r->study->nprograms; p++)
        for (size_t t = 0; t < r->study->strategies.n; t++)
            difference(s, r, p, t);
}

/* ---- trouble ---------------------------------------------------------------------------------- */

static void trouble(struct hd_sheet *s, const struct hd_study_report *r)
{
    const struct hd_study *study = r->study;

    *s = (struct hd_sheet){ .id = "trouble", .title = "Cells without a result for their program",
        .align = "llrll",
        .note = "Counted neither as found nor as not found; or what was found is not the program's bug." };
    heads(s, (const char *const[]){ "program", "strategy", "seed", "state", "detail", NULL });
    for (size_t i = 0; i < study->cells.n; i++) {
        const struct hd_cell *c = &study->cells.cell[i];
        bool done = c->state == HD_CELL_DONE;

        if (study->group_of[i] < 0 || !hd_study_troubled(c))
            continue;
        hd_sheet_add(s, HD_MARK_NONE, "%s", c->key.program);
        hd_sheet_add(s, HD_MARK_NONE, "%s", c->key.strategy);
        hd_sheet_add(s, HD_MARK_NONE, "%llu", (unsigned long long)c->key.seed);
        hd_sheet_add(s, HD_MARK_BAD, "%s", done ? "another kind" : hd_cell_state_text(c->state));
        hd_sheet_add(s, HD_MARK_NONE, "%s%s%s", done ? c->kind : c->detail, done ? ": " : "",
                     done ? c->place : "");
    }
}

void hd_sheets_make(struct hd_sheets *all, const struct hd_study_report *r)
{
    static void (*const make[HD_SHEETS])(struct hd_sheet *, const struct hd_study_report *) = {
        strategies, trouble, counts, buggy, differences, classes, speed };

    for (size_t i = 0; i < HD_SHEETS; i++)
        make[i](&all->sheet[i], r);
}
