/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sheet.h - a table that is not laid out yet.  The tables of a study are made once, as sheets
 * (tables.c), and shown as Markdown and as HTML. */
#ifndef HD_STUDY_SHEET_H
#define HD_STUDY_SHEET_H

#include "study/output.h"

/* What is to be seen at once. */
enum hd_mark { HD_MARK_NONE, HD_MARK_GOOD, HD_MARK_BAD, HD_MARK_WARN, HD_MARK_SOFT };

struct hd_sheet_cell {
    char *text;
    char *below; /* a second, less important thing; NULL: none */
    enum hd_mark mark;
};

struct hd_sheet {
    const char *id, *title, *note;
    const char *align; /* "lrr": left or right, one letter for each column; the last one repeats */
    size_t columns;
    struct hd_sheet_cell *cell; /* row by row; the first row is the head */
    size_t n;
};

void hd_sheet_free(struct hd_sheet *s);

/* The next cell; its second line comes with hd_sheet_below. */
void hd_sheet_add(struct hd_sheet *s, enum hd_mark mark, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* More text for the cell that came last. */
void hd_sheet_more(struct hd_sheet *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hd_sheet_below(struct hd_sheet *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Without the head. */
static inline size_t hd_sheet_rows(const struct hd_sheet *s)
{
    return s->n / s->columns - 1;
}

char hd_sheet_align(const struct hd_sheet *s, size_t column);

/* The tables, in their order; those that would say nothing have no rows. */
enum { HD_SHEETS = 7 };
struct hd_sheets {
    struct hd_sheet sheet[HD_SHEETS];
};

void hd_sheets_make(struct hd_sheets *all, const struct hd_study_report *r);
void hd_sheets_free(struct hd_sheets *all);

#endif
