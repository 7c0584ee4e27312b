/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sheet.h - a table without layout.  The tables of a study are built once as sheets
 * (tables.c) and shown as Markdown and HTML. */
#ifndef HD_STUDY_SHEET_H
#define HD_STUDY_SHEET_H

#include "study/output.h"

/* Highlighting of a cell. */
enum hd_mark { HD_MARK_NONE, HD_MARK_GOOD, HD_MARK_BAD, HD_MARK_WARN, HD_MARK_SOFT };

struct hd_sheet_cell {
    char *text;
    char *below; /* secondary text; NULL: none */
    enum hd_mark mark;
};

struct hd_sheet {
    const char *id, *title, *note;
    const char *align; /* "lrr": left or right, one letter per column; the last one repeats */
    size_t columns;
    struct hd_sheet_cell *cell; /* row by row; the first row is the header */
    size_t n;
};

void hd_sheet_free(struct hd_sheet *s);

/* Adds the next cell; hd_sheet_below adds its second line. */
void hd_sheet_add(struct hd_sheet *s, enum hd_mark mark, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends text to the last cell. */
void hd_sheet_more(struct hd_sheet *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hd_sheet_below(struct hd_sheet *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns the number of rows without the header. */
static inline size_t hd_sheet_rows(const struct hd_sheet *s)
{
    return s->n / s->columns - 1;
}

char hd_sheet_align(const struct hd_sheet *s, size_t column);

/* The tables in order; tables without content have no rows. */
enum { HD_SHEETS = 7 };
struct hd_sheets {
    struct hd_sheet sheet[HD_SHEETS];
};

void hd_sheets_make(struct hd_sheets *all, const struct hd_study_report *r);
void hd_sheets_free(struct hd_sheets *all);

#endif
