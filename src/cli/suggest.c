/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.c - edit distance (insert, delete, replace, swap of neighbours) over short words.
 * A word whose distance exceeds a third of its length is not suggested. */
#include "cli/suggest.h"

#include <string.h>

#define LONGEST 32

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Computes one row of the table of edit distances. before2 and before are the two rows above it. */
static void fill_row(const char *a, const char *b, size_t i, const size_t *before2,
                     const size_t *before, size_t *row)
{
    row[0] = i;
    for (size_t j = 1; b[j - 1] != '\0'; j++) {
        row[j] = smaller(row[j - 1] + 1, before[j] + 1);
        row[j] = smaller(row[j], before[j - 1] + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = smaller(row[j], before2[j - 2] + 1);
    }
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1];
    size_t la = strlen(a), lb = strlen(b);

    if (la > LONGEST || lb > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= la; i++)
        fill_row(a, b, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[la % 3][lb];
}

void hd_suggest_offer(struct hd_suggestion *s, const char *known)
{
    size_t typed = strlen(s->typed);
    size_t d = edit_distance(s->typed, known);

    if (typed >= 4 && strncmp(s->typed, known, typed) == 0)
        d = 1; /* an abbreviation counts as near */
    if (d > (typed + 2) / 3)
        return;
    if (s->best == NULL || d < s->distance) {
        s->best = known;
        s->distance = d;
    }
}
