/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cell.c - texts for a cell. */
#include "study/cell.h"

#include <stdio.h>

#include "base/check.h"

const char *hd_cell_state_text(enum hd_cell_state s)
{
    static const char *const text[HD_CELL_STATES] = {
        [HD_CELL_DONE] = "done", [HD_CELL_BUILD] = "does not compile", [HD_CELL_REFUSED] = "refused",
        [HD_CELL_CRASHED] = "crashed", [HD_CELL_KILLED] = "killed", [HD_CELL_DIVERGED] = "diverged",
    };

    HD_INVARIANT(s < HD_CELL_STATES, "a cell in no state");
    return text[s];
}

enum hd_cell_cut hd_cell_cut(const struct hd_cell *c)
{
    if (c->state != HD_CELL_DONE || c->complete)
        return HD_CUT_NONE;
    if (c->executions >= 0 && (uint64_t)c->executions >= c->key.limit)
        return HD_CUT_EXECUTIONS;
    /* a search checks the clock between executions, so it never ends before its limit */
    return c->seconds * 1000 >= (double)c->key.budget_ms ? HD_CUT_TIME : HD_CUT_NONE;
}

static void number(char *buf, size_t cap, int64_t n)
{
    if (n > 0)
        snprintf(buf, cap, "%lld", (long long)n);
    else
        snprintf(buf, cap, "✗");
}

void hd_cell_counts(const struct hd_cell *c, char *buf, size_t cap)
{
    enum hd_cell_cut cut = hd_cell_cut(c);
    char first[24], total[24];

    if (c->state != HD_CELL_DONE) {
        snprintf(buf, cap, "%s", hd_cell_state_text(c->state));
        return;
    }
    number(first, sizeof first, c->first);
    if (cut == HD_CUT_EXECUTIONS)
        snprintf(total, sizeof total, "L");
    else
        snprintf(total, sizeof total, "%lld%s", (long long)c->executions, cut == HD_CUT_TIME ? "+" : "");
    if (c->bound >= 0)
        snprintf(buf, cap, "%lld/%s/%s/%lld/%lld", (long long)c->bound, first, total,
                 (long long)c->fresh, (long long)c->buggy_at_bound);
    else
        snprintf(buf, cap, "%s/%s/%lld", first, total, (long long)c->buggy);
}
