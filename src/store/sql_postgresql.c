/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql_postgresql.c - PostgreSQL through libpq, which is loaded at run time. */
#include <dlfcn.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "store/sql_backend.h"

/* PostgreSQL's numbers for the types of parameters. */
enum { INT8 = 20, FLOAT8 = 701, TEXT = 25, BYTEA = 17 };

#define LIBRARY "libpq.so.5"
#define FUNCTIONS(X) \
    X(PQconnectdbParams) X(PQstatus) X(PQfinish) X(PQerrorMessage) X(PQexecParams) X(PQresultStatus) X(PQresultErrorField) \
    X(PQclear) X(PQntuples) X(PQnfields) X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQftype) X(PQunescapeBytea) \
    X(PQfreemem) X(PQsetNoticeProcessor) X(PQsendQueryParams) X(PQgetResult) X(PQconsumeInput) X(PQisBusy) X(PQsocket) X(PQflush)

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

/* Stores the message as one line: libpq's messages contain newlines. */
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

/* ---- reading ---- */

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits for the result of what was sent.  Returns false if it does not come in time or the connection is lost. */
static bool await(struct hd_sql *q)
{
    int64_t until = now_ms() + q->patience_ms;

    while (pq.PQflush(q->handle) > 0 || pq.PQisBusy(q->handle)) {
        struct pollfd p = { .fd = pq.PQsocket(q->handle), .events = POLLIN | (pq.PQflush(q->handle) > 0 ? POLLOUT : 0) };
        int64_t left = until - now_ms();
        int n = left > 0 ? poll(&p, 1, (int)left) : 0;

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0) {
            snprintf(q->error, sizeof q->error, "the database has not answered for %d seconds", q->patience_ms / 1000);
            return false;
        }
        if (n < 0 || !pq.PQconsumeInput(q->handle))
            return failed(q, pq.PQerrorMessage(q->handle));
    }
    return true;
}

/* Sends the statement and waits for its result for a limited time.  Returns NULL if there is none. */
static PGresult *ask(struct hd_sql *q, const char *sql, int n, const Oid *types, const char *const *values, const int *sizes,
                     const int *formats)
{
    PGresult *res = NULL, *next;

    if (!pq.PQsendQueryParams(q->handle, sql, n, types, values, sizes, formats, 0)) {
        failed(q, pq.PQerrorMessage(q->handle));
        return NULL;
    }
    do { /* libpq returns the result, and then NULL */
        if (!await(q)) {
            pq.PQclear(res);
            return NULL;
        }
        next = pq.PQgetResult(q->handle);
        if (next != NULL) {
            pq.PQclear(res);
            res = next;
        }
    } while (next != NULL);
    return res;
}

static bool run_plainly(struct hd_sql *q, const char *sql)
{
    PGresult *res = ask(q, sql, 0, NULL, NULL, NULL, NULL);
    bool ok = res != NULL && pq.PQresultStatus(res) == PGRES_COMMAND_OK;

    if (res != NULL && !ok)
        failed(q, pq.PQerrorMessage(q->handle));
    pq.PQclear(res);
    return ok;
}

/* Makes the session read-only, whatever statements are sent, and makes the server end statements for which nobody
 * waits any more. */
static bool only_read(struct hd_sql *q)
{
    char limit[64];

    snprintf(limit, sizeof limit, "SET statement_timeout = %d", q->patience_ms);
    return run_plainly(q, "SET default_transaction_read_only = on") && run_plainly(q, limit);
}

/* ---- connections ---- */

/* Detects within half a minute that the network has dropped the connection, unless parameters of the URL say
 * otherwise. */
static bool connect_server(struct hd_sql *q)
{
    const char *const names[] = { "connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
                                  "tcp_user_timeout", "dbname", NULL };
    const char *const values[] = { q->patience_ms > 0 ? "3" : "10", "10", "5", "4", "30000", q->url, NULL };

    if (!load(q))
        return false;
    q->handle = hd_not_null(pq.PQconnectdbParams(names, values, 1));
    if (pq.PQstatus(q->handle) != CONNECTION_OK)
        return failed(q, pq.PQerrorMessage(q->handle));
    pq.PQsetNoticeProcessor(q->handle, say_nothing, NULL);
    return q->patience_ms == 0 || only_read(q);
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

#define NO_RIGHT "42501" /* SQLSTATE: insufficient_privilege */

static void name_rights(struct hd_sql *q)
{
    size_t n = strlen(q->error);

    snprintf(q->error + n, sizeof q->error - n, "; workers need GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES and USAGE ON ALL SEQUENCES IN "
                                                "SCHEMA public, people who only look need SELECT");
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
    PGresult *res = q->patience_ms > 0 ? ask(q, sql, (int)nv, types, values, sizes, formats)
                                       : pq.PQexecParams(q->handle, sql, (int)nv, types, values, sizes, formats, 0);
    if (res == NULL) { /* no memory, or no answer */
        q->lost = true;
        return false;
    }
    ExecStatusType status = pq.PQresultStatus(res);
    bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;

    if (ok) {
        take_rows(res, rows);
    } else {
        const char *state = pq.PQresultErrorField(res, PG_DIAG_SQLSTATE);

        failed(q, pq.PQerrorMessage(q->handle));
        q->retry = may_retry(state);
        if (state != NULL && strcmp(state, NO_RIGHT) == 0)
            name_rights(q);
    }
    pq.PQclear(res);
    q->lost = pq.PQstatus(q->handle) != CONNECTION_OK;
    return ok;
}

const struct hd_sql_backend hd_sql_postgresql = {
    .begin = "BEGIN", .begin_reading = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .now = "extract(epoch FROM clock_timestamp())::float8",
    .lock = "FOR UPDATE", .skip = "FOR UPDATE SKIP LOCKED",
    .id = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    .blob = "bytea",
    .connect = connect_server, .run = run, .close = disconnect,
};
