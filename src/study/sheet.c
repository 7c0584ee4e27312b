/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sheet.c - tables of text cells. */
#include "study/sheet.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void hd_sheet_add(struct hd_sheet *s, enum hd_mark mark, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    *HD_PUSH(s->cell, s->n) = (struct hd_sheet_cell){ .text = hd_formatted_list(fmt, ap), .mark = mark };
    va_end(ap);
}

void hd_sheet_more(struct hd_sheet *s, const char *fmt, ...)
{
    struct hd_sheet_cell *c = &s->cell[s->n - 1];
    char *before = c->text, *more;
    va_list ap;

    va_start(ap, fmt);
    more = hd_formatted_list(fmt, ap);
    va_end(ap);
    c->text = hd_formatted("%s%s", before, more);
    free(before);
    free(more);
}

void hd_sheet_below(struct hd_sheet *s, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    s->cell[s->n - 1].below = hd_formatted_list(fmt, ap);
    va_end(ap);
}

void hd_sheet_free(struct hd_sheet *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->cell[i].text);
        free(s->cell[i].below);
    }
    free(s->cell);
    *s = (struct hd_sheet){ .n = 0 };
}

char hd_sheet_align(const struct hd_sheet *s, size_t column)
{
    size_t n = strlen(s->align);

    return s->align[column < n ? column : n - 1];
}

void hd_sheets_free(struct hd_sheets *all)
{
    for (size_t i = 0; i < HD_SHEETS; i++)
        hd_sheet_free(&all->sheet[i]);
}
