/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql_sqlite.c - SQLite: a file on a local disk, for the workers of one machine.  It uses a write-ahead log (WAL),
 * so that readers do not wait for writers. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/vec.h"
#include "store/sql_backend.h"

enum { BUSY_MS = 60000, PAUSE_MS = 10 };

static bool failed(struct hd_sql *q)
{
    int code = sqlite3_errcode(q->handle) & 0xff;

    snprintf(q->error, sizeof q->error, "%s: %s", q->url, sqlite3_errmsg(q->handle));
    q->retry = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL; /* another process may release
                                                                                     * its lock or make room */
    return false;
}

static void close_file(struct hd_sql *q)
{
    sqlite3_close(q->handle);
    q->handle = NULL;
}

/* ---- reading ---- */

/* Returns a file: URI for the path, with all special characters escaped. */
static char *uri_of(const char *path, const char *mode)
{
    char *uri;
    size_t size;
    FILE *f = hd_memory_stream(&uri, &size);

    fputs(path[0] == '/' ? "file://" : "file:", f);
    for (const char *c = path; *c != '\0'; c++)
        if (strchr("%?#", *c) != NULL)
            fprintf(f, "%%%02X", (unsigned char)*c);
        else
            fputc(*c, f);
    fprintf(f, "?mode=ro%s", mode);
    fclose(f);
    return uri;
}

static int open_to_read(struct hd_sql *q, const char *mode)
{
    char *uri = uri_of(q->url + strlen("sqlite:"), mode);
    sqlite3 *db = NULL;

    close_file(q);
    int rc = sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);

    q->handle = db;
    free(uri);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(db, q->patience_ms);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        failed(q);
    return rc & 0xff;
}

static bool has_log(const char *path)
{
    char *log = hd_formatted("%s-wal", path);
    bool there = access(log, F_OK) == 0;

    free(log);
    return there;
}

/* Readers and writers share a memory file beside the database (-shm).  If it cannot be created, because the
 * directory is read-only, there can be no writer unless a log exists; the file is then opened as immutable. */
static bool connect_reader(struct hd_sql *q)
{
    const char *path = q->url + strlen("sqlite:");

    int rc = open_to_read(q, "");

    if (rc == SQLITE_CANTOPEN && access(path, R_OK) == 0 && !has_log(path))
        rc = open_to_read(q, "&immutable=1");
    return rc == SQLITE_OK;
}

/* ---- writing ---- */

static bool connect_file(struct hd_sql *q)
{
    sqlite3 *db = NULL;

    if (q->patience_ms > 0)
        return connect_reader(q);
    int rc = sqlite3_open_v2(q->url + strlen("sqlite:"), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

    q->handle = db;
    if (rc != SQLITE_OK)
        return failed(q);
    sqlite3_busy_timeout(db, BUSY_MS);
    for (int waited = 0;; waited += PAUSE_MS) { /* the change to WAL mode does not wait for other processes by itself */
        rc = sqlite3_exec(db, "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON", NULL, NULL, NULL);
        if (rc != SQLITE_BUSY || waited >= BUSY_MS)
            return rc == SQLITE_OK || failed(q);
        usleep(PAUSE_MS * 1000);
    }
}

static void bind(sqlite3_stmt *s, int at, const struct hd_sql_value *v)
{
    if (v->type == 'i')
        sqlite3_bind_int64(s, at, v->i);
    else if (v->type == 'd')
        sqlite3_bind_double(s, at, v->d);
    else if (v->data == NULL)
        sqlite3_bind_null(s, at);
    else if (v->type == 't')
        sqlite3_bind_text(s, at, v->data, (int)v->size, SQLITE_TRANSIENT);
    else
        sqlite3_bind_blob(s, at, v->data, (int)v->size, SQLITE_TRANSIENT);
}

static void take_row(sqlite3_stmt *s, struct hd_sql_rows *rows)
{
    rows->cells = hd_resized(rows->cells, (size_t)(rows->n + 1) * rows->ncolumns, sizeof *rows->cells);
    for (uint32_t i = 0; i < rows->ncolumns; i++) {
        struct hd_sql_cell *c = &rows->cells[(size_t)rows->n * rows->ncolumns + i];
        int type = sqlite3_column_type(s, (int)i);
        const void *data = type == SQLITE_BLOB ? sqlite3_column_blob(s, (int)i) : sqlite3_column_text(s, (int)i);

        *c = (struct hd_sql_cell){ NULL, 0 };
        if (type != SQLITE_NULL)
            hd_sql_set_cell(c, data, (size_t)sqlite3_column_bytes(s, (int)i));
    }
    rows->n++;
}

static bool run(struct hd_sql *q, const char *sql, const struct hd_sql_value *v, uint32_t nv, struct hd_sql_rows *rows)
{
    sqlite3_stmt *s = NULL;
    char name[16];
    int rc;

    if (sqlite3_prepare_v2(q->handle, sql, -1, &s, NULL) != SQLITE_OK)
        return failed(q);
    for (uint32_t i = 0; i < nv; i++) {
        snprintf(name, sizeof name, "$%u", i + 1);
        int at = sqlite3_bind_parameter_index(s, name);

        if (at > 0)
            bind(s, at, &v[i]);
    }
    rows->ncolumns = (uint32_t)sqlite3_column_count(s);
    while ((rc = sqlite3_step(s)) == SQLITE_ROW)
        if (rows->ncolumns > 0) /* a step of PRAGMA incremental_vacuum has none */
            take_row(s, rows);
    bool ok = rc == SQLITE_DONE || failed(q);

    sqlite3_finalize(s);
    return ok;
}

const struct hd_sql_backend hd_sql_sqlite = {
    .begin = "BEGIN IMMEDIATE", .begin_reading = "BEGIN",
    .replaceable = true,
    .now = "((julianday('now') - 2440587.5) * 86400.0)",
    .lock = "", .skip = "",
    .id = "INTEGER PRIMARY KEY AUTOINCREMENT",
    .blob = "BLOB",
    .connect = connect_file, .run = run, .close = close_file,
};
