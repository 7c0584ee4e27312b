/* SPDX-License-Identifier: BSD-2-Clause
 *
 * published.c - compares results with published numbers. */
#include "study/published.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/core/strategy.h"

/* ---- reading ---------------------------------------------------------------------------------- */

bool hd_published_number(const char *text, int64_t *value, bool *limited)
{
    char *end;

    *limited = text[0] == 'L';
    text += *limited;
    if (*text == '\0' || strcmp(text, "?") == 0)
        *value = HD_PUBLISHED_UNKNOWN;
    else if (strcmp(text, "x") == 0)
        *value = HD_CELL_NONE;
    else if (strcmp(text, "found") == 0)
        *value = HD_PUBLISHED_FOUND;
    else if (*text < '0' || *text > '9')
        return false;
    else
        return *value = strtoll(text, &end, 10), *end == '\0';
    return !*limited;
}

static bool read_row(const struct hd_tsv *t, size_t row, struct hd_published_row *out)
{
    static const char *const names[] = { "bound", "first", "total", "new", "buggy" };
    int64_t *const to[] = { &out->bound, &out->first, &out->total, &out->fresh, &out->buggy };
    bool good = true;

    *out = (struct hd_published_row){ .limited = false };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool limited;

        good &= hd_published_number(hd_tsv_get(t, row, hd_tsv_column(t, names[i])), to[i], &limited);
        out->limited |= limited && to[i] == &out->total;
    }
    out->clean = strcmp(hd_tsv_get(t, row, hd_tsv_column(t, "readable")), "clean") == 0;
    return good;
}

static bool has_columns(const struct hd_tsv *t, const char *path, const char *const *names, char *error,
                        size_t cap)
{
    for (; *names != NULL; names++)
        if (hd_tsv_column(t, *names) < 0) {
            snprintf(error, cap, "%s has no column '%s'", path, *names);
            return false;
        }
    return true;
}

bool hd_published_read(struct hd_published *p, const char *rows, const char *deviations, char *error,
                       size_t cap)
{
    static const char *const published[] = { "program", "technique", "bound", "first", "total", "new",
                                             "buggy", "readable", NULL };
    static const char *const reasons[] = { "program", "technique", "reason", NULL };
    struct hd_published_row row;

    *p = (struct hd_published){ .rows.rows = 0 };
    if ((rows != NULL && !hd_tsv_read(&p->rows, rows, error, cap)) ||
        (deviations != NULL && !hd_tsv_read(&p->deviations, deviations, error, cap)) ||
        (rows != NULL && !has_columns(&p->rows, rows, published, error, cap)) ||
        (deviations != NULL && !has_columns(&p->deviations, deviations, reasons, error, cap)))
        goto bad;
    for (size_t i = 0; i < p->rows.rows; i++)
        if (!read_row(&p->rows, i, &row)) {
            snprintf(error, cap, "%s:%zu: counts are numbers, L and a number, x, found or ?", rows,
                     p->rows.line[i]);
            goto bad;
        }
    return true;
bad:
    hd_published_free(p);
    return false;
}

void hd_published_free(struct hd_published *p)
{
    hd_tsv_free(&p->rows);
    hd_tsv_free(&p->deviations);
}

/* ---- comparing -------------------------------------------------------------------------------- */

static enum hd_match equal(int64_t theirs, int64_t ours)
{
    return theirs == HD_PUBLISHED_UNKNOWN ? HD_MATCH_OPEN
           : theirs == ours               ? HD_MATCH_SAME
                                          : HD_MATCH_DIFFERS;
}

/* Compares the first buggy execution; our search ran `seen` executions. */
static enum hd_match match_first(const struct hd_published_row *r, int64_t ours, int64_t seen)
{
    bool found = ours > 0;

    if (r->first == HD_PUBLISHED_UNKNOWN)
        return HD_MATCH_OPEN;
    if (r->first == HD_PUBLISHED_FOUND)
        return found ? HD_MATCH_SAME : HD_MATCH_OPEN;
    if (r->first == HD_CELL_NONE) {
        if (!found)
            return r->total < 0 || seen >= r->total ? HD_MATCH_SAME : HD_MATCH_OPEN;
        return r->total >= 0 && ours > r->total ? HD_MATCH_OPEN : HD_MATCH_DIFFERS;
    }
    if (!found)
        return seen >= r->first ? HD_MATCH_DIFFERS : HD_MATCH_OPEN;
    return equal(r->first, ours);
}

/* Totals are comparable if both searches completed or reached the same limit. */
static enum hd_match match_totals(const struct hd_published_row *r, const struct hd_cell *c)
{
    enum hd_cell_cut cut = hd_cell_cut(c);
    enum hd_match worst = HD_MATCH_SAME;
    bool same_limit = r->limited && cut == HD_CUT_EXECUTIONS && c->executions == r->total;

    if (!c->key.keep_going || r->total == HD_PUBLISHED_UNKNOWN)
        return HD_MATCH_OPEN;
    if (!same_limit && (r->limited || cut != HD_CUT_NONE)) {
        bool theirs_longer = c->executions < r->total;

        /* one search ended by itself before the other, which continued */
        if (cut == HD_CUT_NONE && r->limited && theirs_longer)
            return HD_MATCH_DIFFERS;
        return cut != HD_CUT_NONE && !r->limited && !theirs_longer ? HD_MATCH_DIFFERS : HD_MATCH_OPEN;
    }
    const enum hd_match each[] = {
        equal(r->total, c->executions),
        c->bound >= 0 ? equal(r->bound, c->bound) : HD_MATCH_SAME,
        c->bound >= 0 ? equal(r->fresh, c->fresh) : HD_MATCH_SAME,
        equal(r->buggy, c->bound >= 0 ? c->buggy_at_bound : c->buggy),
    };

    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        if (each[i] > worst)
            worst = each[i];
    return worst;
}

enum hd_match hd_published_match_exact(const struct hd_published_row *row, const struct hd_cell *c)
{
    enum hd_match first = match_first(row, c->first, c->executions), totals = match_totals(row, c);

    return first > totals ? first : totals;
}

/* Without shares, only whether the bug was found can be compared. */
static enum hd_match match_found(const struct hd_published_row *r, const struct hd_group *g)
{
    if (r->first == HD_PUBLISHED_UNKNOWN)
        return HD_MATCH_OPEN;
    if ((r->first != HD_CELL_NONE) == (g->found > 0))
        return r->buggy >= 0 ? HD_MATCH_OPEN : HD_MATCH_SAME;
    return r->total > 0 && g->executions < (uint64_t)r->total ? HD_MATCH_OPEN : HD_MATCH_DIFFERS;
}

enum hd_match hd_published_match_share(const struct hd_published_row *row, const struct hd_group *g)
{
    if (row->total <= 0 || row->buggy < 0 || g->sampled == 0)
        return match_found(row, g);
    struct hd_interval theirs = hd_wilson((uint64_t)row->buggy, (uint64_t)row->total);
    struct hd_interval ours = hd_wilson(g->buggy, g->sampled);

    return theirs.low <= ours.high && ours.low <= theirs.high ? HD_MATCH_SAME : HD_MATCH_DIFFERS;
}

/* ---- text
 * --------------------------------------------------------------------------------------- */

static void count(char *buf, size_t cap, int64_t n, bool limited)
{
    if (limited && n == 100000)
        snprintf(buf, cap, "L");
    else if (n >= 0)
        snprintf(buf, cap, "%lld", (long long)n);
    else
        snprintf(buf, cap, "%s", n == HD_CELL_NONE ? "✗" : n == HD_PUBLISHED_FOUND ? "found" : "?");
}

static void tell(const struct hd_published_row *r, bool bounded, char *buf, size_t cap)
{
    char bound[24], first[24], total[24], fresh[24], buggy[24];

    count(bound, sizeof bound, r->bound, false);
    count(first, sizeof first, r->first, false);
    count(total, sizeof total, r->total, r->limited);
    count(fresh, sizeof fresh, r->fresh, false);
    count(buggy, sizeof buggy, r->buggy, false);
    if (bounded)
        snprintf(buf, cap, "%s/%s/%s/%s/%s", bound, first, total, fresh, buggy);
    else
        snprintf(buf, cap, "%s/%s/%s", first, total, buggy);
}

static const char *reason_for(const struct hd_tsv *t, const char *program, const char *strategy)
{
    int names = hd_tsv_column(t, "program"), techniques = hd_tsv_column(t, "technique");

    for (size_t i = 0; i < t->rows; i++)
        if (fnmatch(hd_tsv_get(t, i, names), program, 0) == 0 &&
            fnmatch(hd_tsv_get(t, i, techniques), strategy, 0) == 0)
            return hd_tsv_get(t, i, hd_tsv_column(t, "reason"));
    return NULL;
}

/* True if the strategy counts schedules one by one, as the published searches do.  A reducer leaves some schedules
 * out. */
static bool is_systematic(const char *strategy)
{
    const struct hd_strategy_ops *ops = hd_strategy_find(strategy);

    return ops != NULL && ops->traits.coverage == HD_COVERS_SCHEDULES;
}

/* The row of a program and a strategy; -1: none. */
static int64_t find_row(const struct hd_tsv *t, const char *program, const char *strategy)
{
    int names = hd_tsv_column(t, "program"), techniques = hd_tsv_column(t, "technique");

    for (size_t i = 0; i < t->rows; i++)
        if (strcmp(hd_tsv_get(t, i, names), program) == 0 &&
            strcmp(hd_tsv_get(t, i, techniques), strategy) == 0)
            return (int64_t)i;
    return -1;
}

struct hd_published_found hd_published_found(const struct hd_published *p, const struct hd_study *s,
                                             const char *strategy)
{
    struct hd_published_found sum = { 0, 0 };
    struct hd_published_row row;

    for (size_t i = 0; i < s->nprograms; i++) {
        int64_t at = find_row(&p->rows, s->program[i]->name, strategy);

        if (at < 0)
            continue;
        read_row(&p->rows, (size_t)at, &row);
        sum.of++;
        sum.found += row.first != HD_CELL_NONE; /* an unreadable number means that it was found */
    }
    return sum;
}

void hd_published_compare(const struct hd_published *p, const char *program, const char *strategy,
                          const struct hd_group *g, struct hd_comparison *out)
{
    int64_t at = find_row(&p->rows, program, strategy);
    struct hd_published_row row;

    *out = (struct hd_comparison){ .match = HD_MATCH_NONE };
    if (at < 0)
        return;
    read_row(&p->rows, (size_t)at, &row);
    out->clean = row.clean;
    tell(&row, row.bound != HD_PUBLISHED_UNKNOWN, out->text, sizeof out->text);
    if (g->cells == 0)
        out->match = HD_MATCH_OPEN;
    else
        out->match = is_systematic(strategy) ? hd_published_match_exact(&row, g->cell)
                                             : hd_published_match_share(&row, g);
    if (out->match == HD_MATCH_DIFFERS)
        out->reason = reason_for(&p->deviations, program, strategy);
}
