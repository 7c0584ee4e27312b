/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tsv.h - tables with tabs between the columns and column names in the first line.  Columns
 * are found by name, so additional columns do no harm.  Empty lines and lines that begin
 * with # are not rows. */
#ifndef HD_STUDY_TSV_H
#define HD_STUDY_TSV_H

#include <stdbool.h>
#include <stddef.h>

struct hd_tsv {
    char *text;     /* the file; cells point into it */
    char **cell;    /* row by row */
    size_t *line;   /* line number of each row in the file */
    char **name;    /* names of the columns */
    size_t columns;
    size_t rows;    /* number of rows without the names */
};

/* Read the file; false with an error message that names file and line. */
bool hd_tsv_read(struct hd_tsv *t, const char *path, char *error, size_t cap);
void hd_tsv_free(struct hd_tsv *t);

/* Index of the column; -1: there is none. */
int hd_tsv_column(const struct hd_tsv *t, const char *name);

/* "" if the line is too short, the column is -1, or the cell is a dash. */
const char *hd_tsv_get(const struct hd_tsv *t, size_t row, int column);

#endif
