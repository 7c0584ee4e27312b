/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql.c - replaces the words of statements that differ between databases, passes arguments, and reads cells. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "store/sql_backend.h"

struct hd_sql *hd_sql_open(const char *url, char *error, size_t cap)
{
    return hd_sql_open_to_read(url, 0, error, cap);
}

struct hd_sql *hd_sql_open_to_read(const char *url, int patience_ms, char *error, size_t cap)
{
    bool pg = strncmp(url, "postgresql://", 13) == 0 || strncmp(url, "postgres://", 11) == 0;

    if (!pg && strncmp(url, "sqlite:", 7) != 0) {
        snprintf(error, cap, "'%s' is no address of a store; write postgresql://HOST/DATABASE or sqlite:FILE", url);
        return NULL;
    }
    if (strcmp(url, "sqlite:") == 0 || strcmp(url, "sqlite::memory:") == 0) { /* each process would open another one */
        snprintf(error, cap, "'%s' names no file; write sqlite:FILE", url);
        return NULL;
    }
    struct hd_sql *q = hd_zeroed(1, sizeof *q);

    q->backend = pg ? &hd_sql_postgresql : &hd_sql_sqlite;
    q->url = hd_copied(url);
    q->patience_ms = patience_ms;
    if (q->backend->connect(q))
        return q;
    snprintf(error, cap, "%s", q->error);
    hd_sql_close(q);
    return NULL;
}

void hd_sql_close(struct hd_sql *q)
{
    if (q == NULL)
        return;
    q->backend->close(q);
    free(q->url);
    free(q);
}

/* Returns the statement with its @words@ replaced for this database.  The caller frees it. */
static char *translated(const struct hd_sql_backend *b, const char *sql)
{
    const struct { const char *word, *text; } words[] = {
        { "@now@", b->now }, { "@lock@", b->lock }, { "@skip@", b->skip }, { "@id@", b->id }, { "@blob@", b->blob },
    };
    char *text;
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    while (*sql != '\0') {
        size_t i = 0;

        while (i < sizeof words / sizeof *words && strncmp(sql, words[i].word, strlen(words[i].word)) != 0)
            i++;
        if (*sql != '@') {
            fputc(*sql++, f);
            continue;
        }
        HD_INVARIANT(i < sizeof words / sizeof *words, "a word in @ that no database knows");
        fputs(words[i].text, f);
        sql += strlen(words[i].word);
    }
    fclose(f);
    return text;
}

bool hd_sql_run(struct hd_sql *q, struct hd_sql_rows *rows, const char *sql, const char *types, ...)
{
    struct hd_sql_value v[HD_SQL_PARAMETERS] = { { 0 } };
    struct hd_sql_rows unused = { 0 };
    uint32_t n = 0;
    va_list ap;

    HD_INVARIANT(strlen(types) <= HD_SQL_PARAMETERS, "more parameters than a statement may have");
    va_start(ap, types);
    for (; types[n] != '\0'; n++) {
        v[n].type = types[n];
        if (types[n] == 'i') {
            v[n].i = va_arg(ap, int64_t);
        } else if (types[n] == 'd') {
            v[n].d = va_arg(ap, double);
        } else {
            v[n].data = va_arg(ap, const void *);
            v[n].size = types[n] == 'b' ? va_arg(ap, size_t) : v[n].data != NULL ? strlen(v[n].data) : 0;
        }
    }
    va_end(ap);
    struct hd_sql_rows *out = rows != NULL ? rows : &unused;
    char *text = translated(q->backend, sql);

    *out = unused;
    q->retry = false;
    bool ok = !q->lost && q->backend->run(q, text, v, n, out);

    if (q->lost)
        q->retry = true;
    free(text);
    if (rows == NULL || !ok)
        hd_sql_free(out);
    return ok;
}

bool hd_sql_begin(struct hd_sql *q)
{
    return hd_sql_again(q) && hd_sql_run(q, NULL, q->patience_ms > 0 ? q->backend->begin_reading : q->backend->begin, "");
}

bool hd_sql_commit(struct hd_sql *q)
{
    return hd_sql_run(q, NULL, "COMMIT", "");
}

/* Preserves the error message of the failure that made the rollback necessary. */
void hd_sql_rollback(struct hd_sql *q)
{
    char error[sizeof q->error];
    bool retry = q->retry;

    memcpy(error, q->error, sizeof error);
    hd_sql_run(q, NULL, "ROLLBACK", "");
    memcpy(q->error, error, sizeof error);
    q->retry = retry || q->lost;
}

const char *hd_sql_error(const struct hd_sql *q)
{
    return q->error;
}

bool hd_sql_may_retry(const struct hd_sql *q)
{
    return q->retry;
}

bool hd_sql_again(struct hd_sql *q)
{
    if (!q->lost && !(q->patience_ms > 0 && q->backend->replaceable))
        return true;
    q->backend->close(q);
    q->lost = !q->backend->connect(q);
    q->retry = q->lost;
    return !q->lost;
}

/* ---- cells ---------------------------------------------------------------------------------- */

void hd_sql_set_cell(struct hd_sql_cell *c, const void *data, size_t size)
{
    c->size = size;
    c->data = hd_zeroed(size + 1, 1);
    if (size > 0)
        memcpy(c->data, data, size);
}

static struct hd_sql_cell *cell(const struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    HD_INVARIANT(row < r->n && column < r->ncolumns, "there is no such cell");
    return &r->cells[(size_t)row * r->ncolumns + column];
}

const char *hd_sql_text(const struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    const char *text = cell(r, row, column)->data;

    return text != NULL ? text : "";
}

int64_t hd_sql_int(const struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    return strtoll(hd_sql_text(r, row, column), NULL, 10);
}

double hd_sql_real(const struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    return strtod(hd_sql_text(r, row, column), NULL);
}

void *hd_sql_take(struct hd_sql_rows *r, uint32_t row, uint32_t column, size_t *size)
{
    struct hd_sql_cell *c = cell(r, row, column);
    void *data = c->data;

    *size = c->size;
    *c = (struct hd_sql_cell){ NULL, 0 };
    return data;
}

void hd_sql_free(struct hd_sql_rows *r)
{
    for (size_t i = 0; i < (size_t)r->n * r->ncolumns; i++)
        free(r->cells[i].data);
    free(r->cells);
    *r = (struct hd_sql_rows){ 0 };
}
