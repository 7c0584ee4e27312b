/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tsv.c - reads the whole file and splits it in place. */
#include "study/tsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (f == NULL)
        return NULL;
    ssize_t n = getdelim(&text, &size, '\0', f); /* the whole file, if it contains no NUL */
    bool broken = ferror(f) != 0;
    int saved = errno;

    fclose(f);
    if (n < 0 && !broken) { /* empty */
        text = hd_resized(text, 1, 1);
        text[0] = '\0';
    }
    if (broken) {
        free(text);
        text = NULL;
    }
    errno = saved;
    return text;
}

static char *cut(char **rest, char end)
{
    char *word = *rest, *at = strchr(word, end);

    if (at == NULL) {
        *rest = NULL;
    } else {
        *at = '\0';
        *rest = at + 1;
    }
    return word;
}

static bool is_row(char *line)
{
    size_t n = strlen(line);

    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
    return line[0] != '\0' && line[0] != '#';
}

static void set_names(struct hd_tsv *t, char *line)
{
    t->columns = 1;
    for (const char *c = line; *c != '\0'; c++)
        t->columns += *c == '\t';
    t->name = hd_zeroed(t->columns, sizeof *t->name);
    for (size_t i = 0; i < t->columns; i++)
        t->name[i] = cut(&line, '\t');
}

/* False if there are more cells than columns. */
static bool add_row(struct hd_tsv *t, char *line, size_t number)
{
    t->cell = hd_vec_room(t->cell, t->rows, t->columns * sizeof *t->cell);
    t->line = hd_vec_room(t->line, t->rows, sizeof *t->line);
    char **cells = t->cell + t->rows * t->columns;

    for (size_t i = 0; i < t->columns; i++)
        cells[i] = line != NULL ? cut(&line, '\t') : NULL;
    t->line[t->rows++] = number;
    return line == NULL;
}

bool hd_tsv_read(struct hd_tsv *t, const char *path, char *error, size_t cap)
{
    size_t number = 0;

    *t = (struct hd_tsv){ .text = read_all(path) };
    if (t->text == NULL) {
        snprintf(error, cap, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    for (char *rest = t->text; rest != NULL;) {
        char *line = cut(&rest, '\n');

        number++;
        if (!is_row(line))
            continue;
        if (t->name == NULL) {
            set_names(t, line);
        } else if (!add_row(t, line, number)) {
            snprintf(error, cap, "%s:%zu: more cells than the %zu columns that the first line names",
                     path, number, t->columns);
            hd_tsv_free(t);
            return false;
        }
    }
    if (t->name == NULL) {
        snprintf(error, cap, "%s is empty: its first line must name the columns, with tabs between", path);
        hd_tsv_free(t);
        return false;
    }
    return true;
}

void hd_tsv_free(struct hd_tsv *t)
{
    free(t->text);
    free(t->cell);
    free(t->line);
    free(t->name);
    *t = (struct hd_tsv){ .text = NULL };
}

int hd_tsv_column(const struct hd_tsv *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(t->name[i], name) == 0)
            return (int)i;
    return -1;
}

const char *hd_tsv_get(const struct hd_tsv *t, size_t row, int column)
{
    const char *cell = column >= 0 ? t->cell[row * t->columns + (size_t)column] : NULL;

    return cell == NULL || strcmp(cell, "-") == 0 ? "" : cell;
}
