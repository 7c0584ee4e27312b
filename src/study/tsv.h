/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tsv.h - tables with tabs between their columns and names of the columns in the first line,
 * which are found by name: a column more does not disturb who does not know it.  Empty lines
 * and those that begin with # are no rows. */
#ifndef HD_STUDY_TSV_H
#define HD_STUDY_TSV_H

#include <stdbool.h>
#include <stddef.h>

struct hd_tsv {
    char *text;     /* the file; cells point into it */
    char **cell;    /* columns of the first row, then of the second ... */
    size_t *line;   /* of each row, in the file */
    char **name;    /* of each column */
    size_t columns;
    size_t rows;    /* without the names */
};

/* Read the file; false with a sentence that names file and line. */
bool hd_tsv_read(struct hd_tsv *t, const char *path, char *error, size_t cap);
void hd_tsv_free(struct hd_tsv *t);

/* The number of the column; -1: there is none. */
int hd_tsv_column(const struct hd_tsv *t, const char *name);

/* "" where the line is too short, the column is -1, or a dash says that there is nothing. */
const char *hd_tsv_get(const struct hd_tsv *t, size_t row, int column);

#endif
