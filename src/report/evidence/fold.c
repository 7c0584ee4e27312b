/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fold.c - which rows of a long interleaving are shown.
 *
 * First, what repeats itself is shown once, with the number of times: loops that wait would
 * otherwise be all that one sees.  Then rows are left out, the least interesting first, until
 * the rest fits: decisive rows always stay, and near them, around switches, and later rather
 * than earlier, a row tells more; starting and joining threads tells little. */
#include "report/text/table.h"

#include <stdlib.h>

#include "base/check.h"

enum {
    PERIOD_MAX = 8, /* rows of a loop */
    TIMES_MIN = 3,  /* fewer rounds of several rows are shown as they are */
};

/* ---- loops --------------------------------------------------------------------------- */

/* Do both rows tell the same? */
static bool are_alike(const struct hd_row *a, const struct hd_row *b)
{
    const struct hd_event *x = a->event, *y = b->event;

    return a->type == HD_ROW_EVENT && b->type == HD_ROW_EVENT && !a->decisive && !b->decisive &&
           a->tid == b->tid && x->kind == y->kind && x->obj == y->obj && x->pc == y->pc &&
           x->value == y->value && (x->flags & HD_EVF_FAILED) == (y->flags & HD_EVF_FAILED);
}

/* How many rounds of `period` rows begin at row `at`, the first one included. */
static uint32_t rounds(const struct hd_table *tb, uint32_t at, uint32_t period)
{
    uint32_t same = 0;

    while (at + period + same < tb->n && are_alike(&tb->rows[at + same], &tb->rows[at + period + same]))
        same++;
    return 1 + same / period;
}

static void fold_rounds(struct hd_table *tb, uint32_t at, uint32_t period, uint32_t times)
{
    for (uint32_t i = 0; i < period; i++)
        tb->rows[at + i].times = times;
    for (uint32_t i = period; i < period * times; i++)
        tb->rows[at + i].repeats = true;
}

static void fold_loops(struct hd_table *tb)
{
    for (uint32_t at = 0; at < tb->n;) {
        uint32_t best = 0, period = 0;

        for (uint32_t p = 1; p <= PERIOD_MAX; p++) {
            uint32_t n = rounds(tb, at, p);

            if (n >= (p == 1 ? 2 : TIMES_MIN) && (n - 1) * p > best) {
                best = (n - 1) * p;
                period = p;
            }
        }
        if (period > 0)
            fold_rounds(tb, at, period, best / period + 1);
        at += best + (period > 0 ? period : 1);
    }
}

/* ---- starts -------------------------------------------------------------------------- */

/* That a thread starts is told by what it does next; who was left for it is kept. */
static void fold_starts(struct hd_table *tb)
{
    for (uint32_t i = 0; i + 1 < tb->n; i++) {
        struct hd_row *row = &tb->rows[i], *next = row + 1;

        if (row->type != HD_ROW_EVENT || row->event->kind != HD_EV_THREAD_START || row->decisive ||
            next->tid != row->tid || next->type == HD_ROW_PENDING)
            continue;
        row->repeats = true;
        if (next->left == HD_NO_TID) {
            next->left = row->left;
            next->why = row->why;
            next->inherits = true;
        }
    }
}

/* ---- what is left out ---------------------------------------------------------------- */

/* Steps that every program has. */
static bool is_ceremony(const struct hd_row *row)
{
    if (row->type != HD_ROW_EVENT)
        return false;
    return row->event->kind == HD_EV_THREAD_CREATE || row->event->kind == HD_EV_THREAD_START ||
           row->event->kind == HD_EV_THREAD_JOIN || row->event->kind == HD_EV_EXIT_BEGIN;
}

static uint32_t cost_of(const struct hd_table *tb, uint32_t i, uint32_t distance)
{
    const struct hd_row *row = &tb->rows[i];
    bool at_switch = row->left != HD_NO_TID || (i + 1 < tb->n && tb->rows[i + 1].left != HD_NO_TID);

    return 2 * distance + (at_switch ? 0 : 4) + (is_ceremony(row) ? 6 : 0);
}

/* How little each row tells; 0: it stays.  The end of the table counts as decisive. */
static uint32_t *costs_of(const struct hd_table *tb)
{
    uint32_t *cost = calloc((size_t)tb->n + 1, sizeof *cost), distance = tb->n;

    HD_INVARIANT(cost != NULL, "out of memory");
    for (uint32_t i = 0; i < tb->n; i++) {
        distance = tb->rows[i].decisive ? 0 : distance + !tb->rows[i].repeats;
        cost[i] = distance;
    }
    distance = 0;
    for (uint32_t i = tb->n; i-- > 0;) {
        distance = tb->rows[i].decisive ? 0 : distance + !tb->rows[i].repeats;
        if (distance < cost[i])
            cost[i] = distance;
    }
    for (uint32_t i = 0; i < tb->n; i++)
        if (!tb->rows[i].decisive)
            cost[i] = cost_of(tb, i, cost[i]);
    return cost;
}

/* A gap of one row takes as much room as the row. */
static uint32_t lines_at(const struct hd_table *tb, const uint32_t *cost, uint32_t limit)
{
    uint32_t lines = 0, gap = 0;

    for (uint32_t i = 0; i < tb->n; i++) {
        if (tb->rows[i].repeats)
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

static void hide_beyond(struct hd_table *tb, const uint32_t *cost, uint32_t limit)
{
    uint32_t gap = 0, last = 0;

    for (uint32_t i = 0; i < tb->n; i++) {
        if (tb->rows[i].repeats)
            continue;
        if (cost[i] > limit) {
            tb->rows[i].hidden = true;
            last = i;
            gap++;
            continue;
        }
        if (gap == 1)
            tb->rows[last].hidden = false;
        gap = 0;
    }
}

static void leave_out(struct hd_table *tb, uint32_t lines)
{
    uint32_t *cost = costs_of(tb), fits = 0, too_many = 2 * tb->n + 16;

    if (lines_at(tb, cost, too_many) > lines) {
        fold_starts(tb);
        while (too_many - fits > 1) {
            uint32_t middle = fits + (too_many - fits) / 2;

            if (lines_at(tb, cost, middle) <= lines)
                fits = middle;
            else
                too_many = middle;
        }
        hide_beyond(tb, cost, fits);
    }
    free(cost);
}

static uint32_t count_lines(const struct hd_table *tb)
{
    uint32_t lines = 0;
    bool gap = false;

    for (uint32_t i = 0; i < tb->n; i++) {
        if (tb->rows[i].repeats)
            continue;
        if (tb->rows[i].hidden) {
            gap = true;
            continue;
        }
        lines += 1 + gap;
        gap = false;
    }
    return lines + gap;
}

/* What each of many threads waits for has been said before the table. */
static void fold_crowd(struct hd_table *tb)
{
    enum { CROWD = 6 };
    uint32_t first = tb->n;

    while (first > 0 && tb->rows[first - 1].type == HD_ROW_PENDING)
        first--;
    if (tb->n - first >= CROWD && tb->r->finding->kind == HD_FK_DEADLOCK)
        for (uint32_t i = first; i < tb->n; i++)
            tb->rows[i].repeats = true;
}

uint32_t hd_table_fold(struct hd_table *tb, uint32_t lines)
{
    for (uint32_t i = 0; i < tb->n; i++) {
        struct hd_row *row = &tb->rows[i];

        row->hidden = row->repeats = false;
        row->times = 0;
        if (row->inherits)
            row->left = HD_NO_TID;
        row->inherits = false;
    }
    if (tb->t->all)
        return tb->n;
    fold_crowd(tb);
    fold_loops(tb);
    leave_out(tb, lines);
    return count_lines(tb);
}
