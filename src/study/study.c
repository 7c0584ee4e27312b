/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study.c - turns the cells into groups, sums, sets and curves. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- programs and strategies -------------------------------------------------------------------- */

static int strategy_of(const struct hd_study *s, const char *name)
{
    for (size_t i = 0; i < s->strategies.n; i++)
        if (strcmp(s->strategies.name[i], name) == 0)
            return (int)i;
    return -1;
}

static int program_of(const struct hd_study *s, const char *name)
{
    for (size_t i = 0; i < s->nprograms; i++)
        if (strcmp(s->program[i]->name, name) == 0)
            return (int)i;
    return -1;
}

static bool has_cells(const struct hd_cells *cells, const char *name)
{
    for (size_t i = 0; i < cells->n; i++)
        if (strcmp(cells->cell[i].key.program, name) == 0)
            return true;
    return false;
}

static void add_strategy(struct hd_study *s, const char *name)
{
    if (strategy_of(s, name) >= 0)
        return;
    if (s->strategies.n == HD_STUDY_STRATEGIES)
        s->crowded = true;
    else
        snprintf(s->strategies.name[s->strategies.n++], HD_STUDY_NAME, "%s", name);
}

static bool has_strategy(const struct hd_study *s, const char *name)
{
    for (size_t i = 0; i < s->cells.n; i++)
        if (strcmp(s->cells.cell[i].key.strategy, name) == 0)
            return true;
    return false;
}

static void collect(struct hd_study *s, const struct hd_study_list *list, const char *patterns,
                    const struct hd_study_names *first)
{
    s->program = hd_zeroed(list->n, sizeof *s->program);
    for (size_t i = 0; i < list->n; i++)
        if (hd_study_selects(patterns, &list->program[i]) && has_cells(&s->cells, list->program[i].name))
            s->program[s->nprograms++] = &list->program[i];
    for (size_t i = 0; i < first->n; i++)
        if (has_strategy(s, first->name[i]))
            add_strategy(s, first->name[i]);
    for (size_t i = 0; i < s->cells.n; i++)
        if (program_of(s, s->cells.cell[i].key.program) >= 0)
            add_strategy(s, s->cells.cell[i].key.strategy);
}

/* ---- groups ----------------------------------------------------------------------------------- */

static bool better(const struct hd_cell *a, const struct hd_cell *b)
{
    bool done = a->state == HD_CELL_DONE;

    if (b == NULL || done != (b->state == HD_CELL_DONE))
        return b == NULL || done;
    return a->key.seed < b->key.seed;
}

static void add_cell(struct hd_group *g, const struct hd_cell *c)
{
    if (better(c, g->cell))
        g->cell = c;
    if (c->state != HD_CELL_DONE) {
        g->failed++;
        return;
    }
    g->cells++;
    g->found += hd_cell_found(c);
    g->other += c->other_kind && !hd_cell_found(c);
    g->executions += (uint64_t)(c->executions > 0 ? c->executions : 0);
    if (c->key.keep_going) {
        g->sampled += (uint64_t)(c->executions > 0 ? c->executions : 0);
        g->buggy += (uint64_t)(c->buggy > 0 ? c->buggy : 0);
    }
    g->needed += (uint64_t)(hd_cell_found(c) ? c->first : c->executions > 0 ? c->executions : 0);
    g->seconds += c->seconds;
}

/* The first buggy executions of the group's cells with a result, ascending.  Returns their
 * number. */
static size_t firsts_of(const struct hd_study *s, int32_t group, double *out)
{
    size_t n = 0;

    for (size_t i = 0; i < s->cells.n; i++) {
        const struct hd_cell *c = &s->cells.cell[i];

        if (s->group_of[i] == group && c->state == HD_CELL_DONE)
            out[n++] = hd_cell_found(c) ? (double)c->first : INFINITY;
    }
    qsort(out, n, sizeof *out, hd_compare_doubles);
    return n;
}

static void finish_group(const struct hd_study *s, size_t group, double *room)
{
    struct hd_group *g = &s->group[group];
    size_t n = firsts_of(s, (int32_t)group, room);

    g->first = n > 0 ? hd_quantile(room, n, 0.5) : INFINITY;
    g->rate = g->seconds > 0 ? (double)g->executions / g->seconds : 0;
}

static void sum_up(struct hd_study *s, size_t strategy, double *room)
{
    struct hd_strategy_sums *sum = &s->sums[strategy];
    double *rate = room + s->nprograms;
    size_t n = 0;

    for (size_t p = 0; p < s->nprograms; p++) {
        const struct hd_group *g = hd_study_group(s, p, strategy);

        sum->cells += g->cells;
        sum->cells_found += g->found;
        sum->failed += g->failed;
        sum->other += g->other;
        sum->seconds += g->seconds;
        if (g->cells == 0)
            continue;
        sum->programs++;
        sum->samples |= g->cell->samples;
        sum->found += g->found > 0;
        sum->needed += g->needed / g->cells;
        if (g->cells > sum->seeds)
            sum->seeds = g->cells;
        room[n] = g->first;
        rate[n++] = g->rate;
    }
    qsort(room, n, sizeof *room, hd_compare_doubles);
    qsort(rate, n, sizeof *rate, hd_compare_doubles);
    sum->median = n > 0 ? hd_quantile(room, n, 0.5) : INFINITY;
    sum->rate = n > 0 ? hd_quantile(rate, n, 0.5) : 0;
}

static void place(struct hd_study *s, size_t i)
{
    const struct hd_cell *c = &s->cells.cell[i];
    int p = program_of(s, c->key.program), t = strategy_of(s, c->key.strategy);

    s->group_of[i] = p < 0 || t < 0 ? -1 : p * (int)s->strategies.n + t;
    if (s->group_of[i] < 0) {
        s->strangers++;
        return;
    }
    add_cell(&s->group[s->group_of[i]], c);
    if (c->key.limit > s->limit)
        s->limit = c->key.limit;
    if (c->executions > 0 && (uint64_t)c->executions > s->most)
        s->most = (uint64_t)c->executions;
}

void hd_study_build(struct hd_study *s, struct hd_cells cells, const struct hd_study_list *list,
                    const char *patterns, const struct hd_study_names *first)
{
    *s = (struct hd_study){ .cells = cells };
    collect(s, list, patterns, first);
    double *room = hd_zeroed(cells.n + 2 * list->n + 1, sizeof *room);

    s->group = hd_zeroed(s->nprograms * s->strategies.n + 1, sizeof *s->group);
    s->group_of = hd_zeroed(cells.n + 1, sizeof *s->group_of);
    for (size_t i = 0; i < cells.n; i++)
        place(s, i);
    for (size_t g = 0; g < s->nprograms * s->strategies.n; g++)
        finish_group(s, g, room);
    for (size_t t = 0; t < s->strategies.n; t++)
        sum_up(s, t, room);
    free(room);
}

void hd_study_free(struct hd_study *s)
{
    free(s->cells.cell);
    free(s->program);
    free(s->group);
    free(s->group_of);
    *s = (struct hd_study){ .nprograms = 0 };
}

/* ---- sets ------------------------------------------------------------------------------------- */

uint32_t hd_study_found_by(const struct hd_study *s, size_t program)
{
    uint32_t by = 0;

    for (size_t t = 0; t < s->strategies.n; t++)
        by |= (uint32_t)(hd_study_group(s, program, t)->found > 0) << t;
    return by;
}

bool hd_study_known(const struct hd_study *s, size_t program)
{
    for (size_t t = 0; t < s->strategies.n; t++)
        if (hd_study_group(s, program, t)->cells > 0)
            return true;
    return false;
}

static int compare_subsets(const void *pa, const void *pb)
{
    const struct hd_subset *a = pa, *b = pb;

    if (a->programs != b->programs)
        return a->programs > b->programs ? -1 : 1;
    return (a->strategies > b->strategies) - (a->strategies < b->strategies);
}

size_t hd_study_subsets(const struct hd_study *s, struct hd_subset *out)
{
    size_t n = 0;

    for (size_t p = 0; p < s->nprograms; p++) {
        uint32_t by = hd_study_found_by(s, p);
        size_t i = 0;

        if (!hd_study_known(s, p))
            continue;
        while (i < n && out[i].strategies != by)
            i++;
        if (i == n)
            out[n++] = (struct hd_subset){ .strategies = by };
        out[i].programs++;
    }
    qsort(out, n, sizeof *out, compare_subsets);
    return n;
}

/* ---- cumulative ------------------------------------------------------------------------------- */

size_t hd_study_cumulative(const struct hd_study *s, size_t strategy, struct hd_step *out)
{
    size_t n = 0;

    /* each cell counts as a fraction of its program, so that a program with fewer seeds has the same weight */
    for (size_t i = 0; i < s->cells.n; i++) {
        const struct hd_cell *c = &s->cells.cell[i];
        int32_t g = s->group_of[i];

        if (hd_cell_found(c) && g >= 0 && (size_t)g % s->strategies.n == strategy)
            out[n++] = (struct hd_step){ (double)c->first, 1.0 / s->group[g].cells };
    }
    qsort(out, n, sizeof *out, hd_compare_doubles); /* executions is the first member of the
                                                     * struct */
    size_t kept = 0;
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += out[i].programs;
        if (i + 1 < n && out[i + 1].executions == out[i].executions)
            continue;
        out[kept++] = (struct hd_step){ out[i].executions, sum };
    }
    return kept;
}
