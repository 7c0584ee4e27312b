/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fold.c - selects the rows of a long interleaving that are shown.
 *
 * First, rows that repeat are shown once, with the number of rounds: loops that wait would otherwise fill the
 * table.  Then rows are hidden, the least informative first, until the rest fits.  Decisive rows always remain.  A
 * row counts as more informative near a decisive row, next to a switch, between two decisive rows, and near the
 * end.  Creating, starting and joining threads counts as less informative.  Steps of a library are always hidden,
 * except those on the program's locks.  Values of variables next to a decisive event are hidden last, the earliest
 * of them first, because the last values read are the most informative. */
#include "report/evidence/rows.h"

#include <stdlib.h>

#include "base/memory.h"
#include "report/evidence/library_lock.h"

enum {
    PERIOD_MAX = 8, /* maximum number of rows in one round of a loop */
    TIMES_MIN = 3,  /* loops of several rows are folded only from this number of rounds on */
};

#define NEVER UINT32_MAX

/* ---- loops --------------------------------------------------------------------------- */

/* True if both rows would show the same text and neither is decisive. */
static bool are_alike(const struct hd_row *a, const struct hd_row *b)
{
    const struct hd_event *x = a->event, *y = b->event;

    return a->type == HD_ROW_EVENT && b->type == HD_ROW_EVENT && !a->decisive && !b->decisive &&
           a->tid == b->tid && x->kind == y->kind && x->obj == y->obj && x->pc == y->pc &&
           x->value == y->value && (x->flags & HD_EVF_FAILED) == (y->flags & HD_EVF_FAILED);
}

/* Returns the number of consecutive rounds of `period` rows that begin at row `at`, including the
 * first. */
static uint32_t rounds(const struct hd_rows *rs, uint32_t at, uint32_t period)
{
    uint32_t same = 0;

    while (at + period + same < rs->n && are_alike(&rs->all[at + same], &rs->all[at + period + same]))
        same++;
    return 1 + same / period;
}

static void fold_rounds(struct hd_rows *rs, uint32_t at, uint32_t period, uint32_t times)
{
    for (uint32_t i = 0; i < period; i++)
        rs->all[at + i].times = times;
    for (uint32_t i = period; i < period * times; i++)
        rs->all[at + i].repeats = true;
}

static void fold_loops(struct hd_rows *rs)
{
    for (uint32_t at = 0; at < rs->n;) {
        uint32_t best = 0, period = 0;

        for (uint32_t p = 1; p <= PERIOD_MAX; p++) {
            uint32_t n = rounds(rs, at, p);

            if (n >= (p == 1 ? 2 : TIMES_MIN) && (n - 1) * p > best) {
                best = (n - 1) * p;
                period = p;
            }
        }
        if (period > 0)
            fold_rounds(rs, at, period, best / period + 1);
        at += best + (period > 0 ? period : 1);
    }
}

/* If a row is not printed, the next row of its thread shows which thread ran before, and why it stopped. */
static void pass_switch(const struct hd_row *row, struct hd_row *next)
{
    if (next->tid != row->tid || next->left != HD_NO_TID || row->left == HD_NO_TID)
        return;
    next->left = row->left;
    next->why = row->why;
    next->inherits = true;
}

/* ---- thread starts ------------------------------------------------------------------ */

/* Does not print the start of a thread if the next row shows what the thread does. */
static void fold_starts(struct hd_rows *rs)
{
    for (uint32_t i = 0; i + 1 < rs->n; i++) {
        struct hd_row *row = &rs->all[i], *next = row + 1;

        if (row->type != HD_ROW_EVENT || row->event->kind != HD_EV_THREAD_START || row->decisive ||
            next->tid != row->tid || next->type == HD_ROW_PENDING)
            continue;
        row->repeats = true;
        pass_switch(row, next);
    }
}

/* ---- hiding rows --------------------------------------------------------------------- */

/* True for steps that every program with threads has. */
static bool is_ceremony(const struct hd_row *row)
{
    if (row->type != HD_ROW_EVENT)
        return false;
    return row->event->kind == HD_EV_THREAD_CREATE || row->event->kind == HD_EV_THREAD_START ||
           row->event->kind == HD_EV_THREAD_JOIN || row->event->kind == HD_EV_THREAD_LAST ||
           row->event->kind == HD_EV_EXIT_BEGIN;
}

/* False for atomic operations and futex calls of a library that neither take nor release a lock of the program. */
static bool changes_lock(const struct hd_report *r, const struct hd_event *e)
{
    unsigned type = hd_kind_info[e->kind].obj;

    if (type != HD_OBJ_MEMORY && type != HD_OBJ_FUTEX)
        return true;
    enum hd_library_lock what = hd_library_lock(r, e);

    return what == HD_LIBRARY_LOCK_TAKES || what == HD_LIBRARY_LOCK_GIVES;
}

/* True for the steps of a library, except those on the program's locks, inputs and outputs. */
static bool is_in_library(const struct hd_rows *rs, const struct hd_row *row)
{
    const struct hd_report *r = rs->r;

    if (row->type != HD_ROW_EVENT || hd_symbols_is_own(r->symbols, row->event->pc))
        return false;
    return !hd_symbols_is_own(r->symbols, hd_row_pc(rs, row)) ||
           hd_kind_info[row->event->kind].obj == HD_OBJ_ONCE ||
           !changes_lock(r, row->event);
}

/* True if a line of the program made a decisive step. */
static bool has_own(const struct hd_rows *rs)
{
    for (uint32_t i = 0; i < rs->n; i++)
        if (rs->all[i].decisive && rs->all[i].type == HD_ROW_EVENT &&
            hd_symbols_is_own(rs->r->symbols, hd_row_pc(rs, &rs->all[i])))
            return true;
    return false;
}

/* Returns the cost of row i.  The rows before the first and after the last decisive event only give context. */
static uint32_t cost_of(const struct hd_rows *rs, uint32_t i, uint32_t distance, uint32_t first, uint32_t last)
{
    const struct hd_row *row = &rs->all[i];
    bool at_switch = row->left != HD_NO_TID || (i + 1 < rs->n && rs->all[i + 1].left != HD_NO_TID);

    if (row->type == HD_ROW_VARIABLE)
        return 2 + 2 * distance;
    return 2 * distance + (at_switch ? 0 : 4) + (is_ceremony(row) ? 6 : 0) +
           (i < first || i > last ? 4 : 0);
}

/* Sets *first and *last to the first and the last decisive event. */
static void find_decisive(const struct hd_rows *rs, uint32_t *first, uint32_t *last)
{
    *first = rs->n;
    *last = 0;
    for (uint32_t i = 0; i < rs->n; i++)
        if (rs->all[i].decisive && rs->all[i].type == HD_ROW_EVENT) {
            *first = i < *first ? i : *first;
            *last = i;
        }
}

/* False for rows of variables: they do not count when distances from decisive rows are measured. */
static bool has_distance(const struct hd_row *row)
{
    return !row->repeats && row->type != HD_ROW_VARIABLE;
}

static bool is_near(const struct hd_row *row)
{
    return row->type == HD_ROW_VARIABLE && row->variable->near;
}

uint32_t hd_rows_near(const struct hd_rows *rs)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < rs->n; i++)
        n += is_near(&rs->all[i]);
    return n;
}

/* Returns for each row how uninformative it is.  Rows with cost 0 are never hidden, those with cost NEVER always.  The distance
 * to the end of the table counts like the distance to a decisive row.  The caller frees the array. */
static uint32_t *costs_of(const struct hd_rows *rs)
{
    uint32_t *cost = hd_zeroed((size_t)rs->n + 1, sizeof *cost), distance = rs->n;

    for (uint32_t i = 0; i < rs->n; i++) {
        distance = rs->all[i].decisive ? 0 : distance + has_distance(&rs->all[i]);
        cost[i] = distance;
    }
    distance = 0;
    for (uint32_t i = rs->n; i-- > 0;) {
        distance = rs->all[i].decisive ? 0 : distance + has_distance(&rs->all[i]);
        if (distance < cost[i])
            cost[i] = distance;
    }
    uint32_t near = hd_rows_near(rs), nth = 0, first, last;

    find_decisive(rs, &first, &last);

    for (uint32_t i = 0; i < rs->n; i++)
        if (is_near(&rs->all[i]))
            cost[i] = near - nth++;
        else if (!rs->all[i].decisive)
            cost[i] = near + cost_of(rs, i, cost[i], first, last);
    bool own = has_own(rs);

    for (uint32_t i = 0; i < rs->n && own; i++)
        if (!rs->all[i].decisive && is_in_library(rs, &rs->all[i]))
            cost[i] = NEVER;
    return cost;
}

/* Returns the number of lines if all rows with a cost above `limit` are hidden.  A gap takes one
 * line, as much as one row. */
static uint32_t lines_at(const struct hd_rows *rs, const uint32_t *cost, uint32_t limit)
{
    uint32_t lines = 0, gap = 0;

    for (uint32_t i = 0; i < rs->n; i++) {
        if (rs->all[i].repeats)
            continue;
        if (cost[i] > limit) {
            gap++;
            continue;
        }
        lines += 1 + (gap > 0);
        gap = 0;
    }
    return lines + (gap > 0);
}

static void hide_beyond(struct hd_rows *rs, const uint32_t *cost, uint32_t limit)
{
    uint32_t gap = 0, last = 0;

    for (uint32_t i = 0; i < rs->n; i++) {
        if (rs->all[i].repeats)
            continue;
        if (cost[i] > limit) {
            rs->all[i].hidden = true;
            last = i;
            gap++;
            continue;
        }
        if (gap == 1 && cost[last] != NEVER)
            rs->all[last].hidden = false;
        gap = 0;
    }
    for (uint32_t i = 0; i + 1 < rs->n; i++)
        if (rs->all[i].hidden)
            pass_switch(&rs->all[i], &rs->all[i + 1]);
}

static void leave_out(struct hd_rows *rs, uint32_t lines)
{
    uint32_t *cost = costs_of(rs), fits = 0, too_many = 3 * rs->n + 32;

    if (lines_at(rs, cost, too_many) > lines) {
        fold_starts(rs);
        while (too_many - fits > 1) {
            uint32_t middle = fits + (too_many - fits) / 2;

            if (lines_at(rs, cost, middle) <= lines)
                fits = middle;
            else
                too_many = middle;
        }
    } else {
        fits = too_many;
    }
    hide_beyond(rs, cost, fits);
    free(cost);
}

static uint32_t count_lines(const struct hd_rows *rs)
{
    uint32_t lines = 0;
    bool gap = false;

    for (uint32_t i = 0; i < rs->n; i++) {
        if (rs->all[i].repeats)
            continue;
        if (rs->all[i].hidden) {
            gap = true;
            continue;
        }
        lines += 1 + gap;
        gap = false;
    }
    return lines + gap;
}

/* In a deadlock of many threads, does not print the pending operations: the text before the table
 * contains them. */
static void fold_crowd(struct hd_rows *rs)
{
    enum { CROWD = 6 };
    uint32_t first = rs->n;

    while (first > 0 && rs->all[first - 1].type == HD_ROW_PENDING)
        first--;
    if (rs->n - first >= CROWD && rs->r->finding->kind == HD_FK_DEADLOCK)
        for (uint32_t i = first; i < rs->n; i++)
            rs->all[i].repeats = true;
}

uint32_t hd_rows_fold(struct hd_rows *rs, uint32_t lines)
{
    for (uint32_t i = 0; i < rs->n; i++) {
        struct hd_row *row = &rs->all[i];

        row->hidden = row->repeats = false;
        row->times = 0;
        if (row->inherits)
            row->left = HD_NO_TID;
        row->inherits = false;
    }
    if (rs->show_all)
        return rs->n;
    fold_crowd(rs);
    fold_loops(rs);
    leave_out(rs, lines);
    return count_lines(rs);
}
