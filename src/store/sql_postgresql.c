/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql_postgresql.c - PostgreSQL by libpq, which is loaded when it is needed. */
#include <dlfcn.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/sql_backend.h"

/* What a parameter is, by the numbers that PostgreSQL gives its types. */
enum { INT8 = 20, FLOAT8 = 701, TEXT = 25, BYTEA = 17 };

#define LIBRARY "libpq.so.5"
#define FUNCTIONS(X) \
    X(PQconnectdb) X(PQstatus) X(PQfinish) X(PQerrorMessage) X(PQexecParams) X(PQresultStatus) X(PQresultErrorField) \
    X(PQclear) X(PQntuples) X(PQnfields) X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQftype) X(PQunescapeBytea) \
    X(PQfreemem) X(PQsetNoticeProcessor)

static struct {
#define POINTER(f) __typeof__(&f) f;
    FUNCTIONS(POINTER)
#undef POINTER
} pq;

static bool load(struct hd_sql *q)
{
    static bool loaded;

    if (loaded)
        return true;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        snprintf(q->error, sizeof q->error, "%s: PostgreSQL's client library is missing; install libpq5", dlerror());
        return false;
    }
    loaded = true;
#define FIND(f) loaded = (*(void **)(void *)&pq.f = dlsym(library, #f)) != NULL && loaded;
    FUNCTIONS(FIND)
#undef FIND
    if (!loaded)
        snprintf(q->error, sizeof q->error, "%s is too old: it lacks functions that Heddle needs", LIBRARY);
    return loaded;
}

/* The message as one line: libpq ends lines. */
static bool failed(struct hd_sql *q, const char *message)
{
    snprintf(q->error, sizeof q->error, "%s", message);
    size_t n = strlen(q->error);

    while (n > 0 && q->error[n - 1] == '\n')
        q->error[--n] = '\0';
    for (char *p = q->error; *p != '\0'; p++)
        if (*p == '\n')
            *p = ' ';
    return false;
}

static void say_nothing(void *ctx, const char *message)
{
    (void)ctx;
    (void)message;
}

static void disconnect(struct hd_sql *q)
{
    if (q->handle != NULL)
        pq.PQfinish(q->handle);
    q->handle = NULL;
}

static bool connect_server(struct hd_sql *q)
{
    if (!load(q))
        return false;
    q->handle = hd_not_null(pq.PQconnectdb(q->url));
    if (pq.PQstatus(q->handle) != CONNECTION_OK)
        return failed(q, pq.PQerrorMessage(q->handle));
    pq.PQsetNoticeProcessor(q->handle, say_nothing, NULL);
    return true;
}

static void take_cell(const PGresult *res, int row, int column, struct hd_sql_cell *c)
{
    const char *value = pq.PQgetvalue(res, row, column);

    if (pq.PQgetisnull(res, row, column))
        return;
    if (pq.PQftype(res, column) != BYTEA) {
        hd_sql_set_cell(c, value, (size_t)pq.PQgetlength(res, row, column));
        return;
    }
    size_t size;
    unsigned char *bytes = hd_not_null(pq.PQunescapeBytea((const unsigned char *)value, &size));

    hd_sql_set_cell(c, bytes, size);
    pq.PQfreemem(bytes);
}

static void take_rows(const PGresult *res, struct hd_sql_rows *rows)
{
    rows->n = (uint32_t)pq.PQntuples(res);
    rows->ncolumns = (uint32_t)pq.PQnfields(res);
    rows->cells = hd_zeroed((size_t)rows->n * rows->ncolumns, sizeof *rows->cells);
    for (uint32_t r = 0; r < rows->n; r++)
        for (uint32_t i = 0; i < rows->ncolumns; i++)
            take_cell(res, (int)r, (int)i, &rows->cells[(size_t)r * rows->ncolumns + i]);
}

/* Class 40 of the SQLSTATEs: deadlock and serialization failures, which a repetition resolves.  53 and 57: resources, and
 * a server that shuts down or was restarted. */
static bool may_retry(const char *state)
{
    return state == NULL || strncmp(state, "40", 2) == 0 || strncmp(state, "53", 2) == 0 || strncmp(state, "57P", 3) == 0;
}

static bool run(struct hd_sql *q, const char *sql, const struct hd_sql_value *v, uint32_t nv, struct hd_sql_rows *rows)
{
    Oid types[HD_SQL_PARAMETERS];
    const char *values[HD_SQL_PARAMETERS];
    int sizes[HD_SQL_PARAMETERS], formats[HD_SQL_PARAMETERS];
    char numbers[HD_SQL_PARAMETERS][32];

    for (uint32_t i = 0; i < nv; i++) {
        types[i] = v[i].type == 'i' ? INT8 : v[i].type == 'd' ? FLOAT8 : v[i].type == 't' ? TEXT : BYTEA;
        formats[i] = v[i].type == 'b';
        sizes[i] = (int)v[i].size;
        values[i] = v[i].type == 'i' || v[i].type == 'd' ? numbers[i] : v[i].data;
        if (v[i].type == 'b' && v[i].data != NULL && v[i].size == 0)
            values[i] = "";
        if (v[i].type == 'i')
            snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)v[i].i);
        else if (v[i].type == 'd')
            snprintf(numbers[i], sizeof numbers[i], "%.17g", v[i].d);
    }
    PGresult *res = pq.PQexecParams(q->handle, sql, (int)nv, types, values, sizes, formats, 0);
    ExecStatusType status = pq.PQresultStatus(res);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;

    if (ok) {
        take_rows(res, rows);
    } else {
        failed(q, pq.PQerrorMessage(q->handle));
        q->retry = may_retry(pq.PQresultErrorField(res, PG_DIAG_SQLSTATE));
    }
    pq.PQclear(res);
    q->lost = pq.PQstatus(q->handle) != CONNECTION_OK;
    return ok;
}

const struct hd_sql_backend hd_sql_postgresql = {
    .begin = "BEGIN",
    .now = "extract(epoch FROM clock_timestamp())::float8",
    .lock = "FOR UPDATE", .skip = "FOR UPDATE SKIP LOCKED",
    .id = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    .blob = "bytea",
    .connect = connect_server, .run = run, .close = disconnect,
};
