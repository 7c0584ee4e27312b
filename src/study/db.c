/* SPDX-License-Identifier: BSD-2-Clause
 *
 * db.c - stores cells in SQLite.  One table of fields (FIELDS) defines the columns, the
 * parameters and the reading back, so that they cannot disagree.  SQLite also parses the
 * JSON of a result. */
#include "study/db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/vec.h"
#include "search/core/strategy.h"

#define APPLICATION_ID 1212441427 /* "HDdS" */
#define FORMAT 1
#define BUSY_MS 20000 /* timeout while another process uses the file */

struct hd_study_db {
    sqlite3 *handle;
};

enum type { TEXT, NUMBER, COUNT, TRUTH, REAL, STATE };

/* The first KEYS fields are the key. */
static const struct field {
    const char *name;
    enum type type;
    size_t offset, size;
} fields[] = {
#define F(name, type, member) { name, type, offsetof(struct hd_cell, member), sizeof((struct hd_cell *)NULL)->member }
    F("program", TEXT, key.program), F("strategy", TEXT, key.strategy), F("seed", COUNT, key.seed),
    F("limit_executions", COUNT, key.limit), F("limit_ms", COUNT, key.budget_ms),
    F("keep_going", TRUTH, key.keep_going), F("options", TEXT, key.options), F("build", TEXT, key.build),
    F("version", TEXT, key.version),
    F("suite", TEXT, suite), F("samples", TRUTH, samples), F("state", STATE, state), F("detail", TEXT, detail),
    F("executions", NUMBER, executions), F("first", NUMBER, first), F("buggy", NUMBER, buggy),
    F("bound", NUMBER, bound), F("new", NUMBER, fresh), F("buggy_at_bound", NUMBER, buggy_at_bound),
    F("classes", NUMBER, classes), F("redundant", NUMBER, redundant), F("steps", NUMBER, steps),
    F("threads", NUMBER, threads), F("complete", TRUTH, complete), F("other_kind", TRUTH, other_kind),
    F("kind", TEXT, kind), F("place", TEXT, place), F("verdict", TEXT, verdict),
    F("seconds", REAL, seconds), F("rate", REAL, rate),
#undef F
};
enum { FIELDS = sizeof fields / sizeof *fields, KEYS = 9 };

/* ---- statements ------------------------------------------------------------------------------- */

static bool failed(struct hd_study_db *db, const char *what, char *error, size_t cap)
{
    snprintf(error, cap, "%s: %s", what, sqlite3_errmsg(db->handle));
    return false;
}

static sqlite3_stmt *prepare(struct hd_study_db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;

    return sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL) == SQLITE_OK ? s : NULL;
}

static bool execute(struct hd_study_db *db, const char *sql)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* The number that a pragma returns; -1 if it returns nothing. */
static int64_t ask(struct hd_study_db *db, const char *sql)
{
    sqlite3_stmt *s = prepare(db, sql);
    int64_t n = s != NULL && sqlite3_step(s) == SQLITE_ROW ? sqlite3_column_int64(s, 0) : -1;

    sqlite3_finalize(s);
    return n;
}

/* Appends "a, b, c" for the first n fields; the text `behind` follows each name. */
static void append_names(char *sql, size_t cap, size_t n, const char *behind, const char *gap)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(sql);

        snprintf(sql + at, cap - at, "%s%s%s", i > 0 ? gap : "", fields[i].name, behind);
    }
    HD_INVARIANT(strlen(sql) + 1 < cap, "a statement that is too long");
}

static void append(char *sql, size_t cap, const char *text)
{
    size_t at = strlen(sql);

    snprintf(sql + at, cap - at, "%s", text);
}

/* ---- fields ----------------------------------------------------------------------------------- */

static void bind_field(sqlite3_stmt *s, int at, const struct field *f, const struct hd_cell *c)
{
    const void *p = (const char *)c + f->offset;
    int64_t n;
    double d;

    switch (f->type) {
    case TEXT:
        sqlite3_bind_text(s, at, p, -1, SQLITE_TRANSIENT);
        return;
    case NUMBER:
    case COUNT:
        memcpy(&n, p, sizeof n);
        if (n == HD_CELL_NONE && f->type == NUMBER)
            sqlite3_bind_null(s, at);
        else
            sqlite3_bind_int64(s, at, n);
        return;
    case TRUTH:
        sqlite3_bind_int(s, at, *(const bool *)p);
        return;
    case REAL:
        memcpy(&d, p, sizeof d);
        sqlite3_bind_double(s, at, d);
        return;
    case STATE:
        sqlite3_bind_text(s, at, hd_cell_state_text(c->state), -1, SQLITE_STATIC);
    }
}

static enum hd_cell_state state_of(const char *text)
{
    for (unsigned i = 0; i < HD_CELL_STATES; i++)
        if (strcmp(text, hd_cell_state_text((enum hd_cell_state)i)) == 0)
            return (enum hd_cell_state)i;
    return HD_CELL_CRASHED;
}

static const char *column_text(sqlite3_stmt *s, int at)
{
    const char *text = (const char *)sqlite3_column_text(s, at);

    return text != NULL ? text : "";
}

static void read_field(sqlite3_stmt *s, int at, const struct field *f, struct hd_cell *c)
{
    void *p = (char *)c + f->offset;
    bool null = sqlite3_column_type(s, at) == SQLITE_NULL;

    switch (f->type) {
    case TEXT:
        snprintf(p, f->size, "%s", column_text(s, at));
        return;
    case NUMBER:
    case COUNT:
        *(int64_t *)p = null ? HD_CELL_NONE : sqlite3_column_int64(s, at);
        return;
    case TRUTH:
        *(bool *)p = sqlite3_column_int(s, at) != 0;
        return;
    case REAL:
        *(double *)p = sqlite3_column_double(s, at);
        return;
    case STATE:
        c->state = state_of(column_text(s, at));
    }
}

/* ---- the file --------------------------------------------------------------------------------- */

static bool create(struct hd_study_db *db)
{
    char sql[2048] = "BEGIN IMMEDIATE; CREATE TABLE cell(";

    append_names(sql, sizeof sql, FIELDS, "", ", ");
    append(sql, sizeof sql, ", UNIQUE(");
    append_names(sql, sizeof sql, KEYS, "", ", ");
    append(sql, sizeof sql, ")); ");
    size_t at = strlen(sql);

    snprintf(sql + at, sizeof sql - at, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
             APPLICATION_ID, FORMAT);
    return execute(db, sql);
}

/* An empty file counts as a new one: a study that was killed at once leaves such a file. */
static bool check(struct hd_study_db *db, const char *path, char *error, size_t cap)
{
    int64_t tables = ask(db, "SELECT count(*) FROM sqlite_master");
    int64_t id = ask(db, "PRAGMA application_id"), format = ask(db, "PRAGMA user_version");

    if (tables < 0) {
        int code = sqlite3_errcode(db->handle);

        snprintf(error, cap, code == SQLITE_NOTADB
                 ? "%s is no database; --db wants the file of a study, or one that does not exist yet"
                 : "cannot read %s: %s", path, sqlite3_errmsg(db->handle));
        return false;
    }
    if (tables == 0 && id == 0)
        return create(db) || failed(db, path, error, cap);
    if (id != APPLICATION_ID) {
        snprintf(error, cap, "%s is a database of something else, and stays as it is; --db wants the file "
                 "of a study, or one that does not exist yet", path);
        return false;
    }
    if (format > FORMAT) {
        snprintf(error, cap, "%s was made by a newer version of heddle (its format is %lld, this one "
                 "knows %d)", path, (long long)format, FORMAT);
        return false;
    }
    return true;
}

struct hd_study_db *hd_study_db_open(const char *path, bool must_exist, char *error, size_t cap)
{
    struct hd_study_db *db = hd_zeroed(1, sizeof *db);
    int flags = SQLITE_OPEN_READWRITE | (must_exist ? 0 : SQLITE_OPEN_CREATE);

    if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
        snprintf(error, cap, "cannot open %s: %s", path, must_exist && access(path, F_OK) != 0
                 ? "there is no such file" : sqlite3_errmsg(db->handle));
        hd_study_db_close(db);
        return NULL;
    }
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    if (!check(db, path, error, cap) ||
        (!execute(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL") && !failed(db, path, error, cap))) {
        hd_study_db_close(db);
        return NULL;
    }
    return db;
}

void hd_study_db_close(struct hd_study_db *db)
{
    sqlite3_close(db->handle);
    free(db);
}

/* ---- cells ------------------------------------------------------------------------------------ */

bool hd_study_db_has(struct hd_study_db *db, const struct hd_cell_key *key)
{
    const struct hd_cell cell = { .key = *key };
    char sql[1024] = "SELECT 1 FROM cell WHERE state = 'done' AND ";

    append_names(sql, sizeof sql, KEYS, " = ?", " AND ");
    sqlite3_stmt *s = prepare(db, sql);

    for (int i = 0; i < KEYS; i++)
        bind_field(s, i + 1, &fields[i], &cell);
    bool has = s != NULL && sqlite3_step(s) == SQLITE_ROW;

    sqlite3_finalize(s);
    return has;
}

bool hd_study_db_put(struct hd_study_db *db, const struct hd_cell *cell, char *error, size_t cap)
{
    char sql[2048] = "INSERT OR REPLACE INTO cell(";

    append_names(sql, sizeof sql, FIELDS, "", ", ");
    append(sql, sizeof sql, ") VALUES (?");
    for (size_t i = 1; i < FIELDS; i++)
        append(sql, sizeof sql, ", ?");
    append(sql, sizeof sql, ")");
    sqlite3_stmt *s = prepare(db, sql);

    for (int i = 0; i < FIELDS; i++)
        bind_field(s, i + 1, &fields[i], cell);
    bool ok = s != NULL && sqlite3_step(s) == SQLITE_DONE;

    if (!ok)
        failed(db, "cannot keep a result", error, cap);
    sqlite3_finalize(s);
    return ok;
}

bool hd_study_db_load(struct hd_study_db *db, struct hd_cells *out, char *error, size_t cap)
{
    char sql[2048] = "SELECT ";
    int code = SQLITE_ERROR;

    append_names(sql, sizeof sql, FIELDS, "", ", ");
    append(sql, sizeof sql, " FROM cell WHERE rowid IN (SELECT max(rowid) FROM cell "
           "GROUP BY program, strategy, seed) ORDER BY rowid");
    sqlite3_stmt *s = prepare(db, sql);

    *out = (struct hd_cells){ .n = 0 };
    while (s != NULL && (code = sqlite3_step(s)) == SQLITE_ROW) {
        struct hd_cell *c = HD_PUSH(out->cell, out->n);

        memset(c, 0, sizeof *c);
        for (int i = 0; i < FIELDS; i++)
            read_field(s, i, &fields[i], c);
    }
    if (code != SQLITE_DONE)
        failed(db, "cannot read the results", error, cap);
    sqlite3_finalize(s);
    return code == SQLITE_DONE;
}

/* ---- results of heddle run -------------------------------------------------------------------- */

static int64_t number_or_none(sqlite3_stmt *s, int at)
{
    return sqlite3_column_type(s, at) == SQLITE_NULL ? HD_CELL_NONE : sqlite3_column_int64(s, at);
}

static void take_totals(sqlite3_stmt *s, struct hd_cell *c)
{
    c->executions = number_or_none(s, 0);
    c->first = number_or_none(s, 1);
    c->buggy = number_or_none(s, 2);
    c->bound = number_or_none(s, 3);
    c->fresh = number_or_none(s, 4);
    c->buggy_at_bound = number_or_none(s, 5);
    c->classes = number_or_none(s, 6);
    c->redundant = number_or_none(s, 7);
    c->steps = number_or_none(s, 8);
    c->threads = number_or_none(s, 9);
    c->complete = sqlite3_column_int(s, 10) != 0;
    snprintf(c->verdict, sizeof c->verdict, "%s", column_text(s, 11));
    c->seconds = sqlite3_column_double(s, 12);
    c->rate = c->seconds > 0 ? (double)c->executions / c->seconds : 0;
    if (c->classes == HD_CELL_NONE && c->complete && hd_strategy_traits(c->key.strategy).counts_classes)
        c->classes = c->executions;
}

/* Takes the first finding that is the program's bug; `first` is then the number of its execution, even if other
 * findings came before it.  If there are only other findings, the bug was not found. */
static void take_findings(struct hd_study_db *db, const char *json, const char *kinds, struct hd_cell *c)
{
    sqlite3_stmt *s = prepare(db, "SELECT json_extract(value, '$.kind'), json_extract(value, '$.message'), "
                                  "json_extract(value, '$.execution') FROM json_each(?, '$.findings') "
                                  "ORDER BY json_extract(value, '$.execution'), key");
    bool before = false;

    sqlite3_bind_text(s, 1, json, -1, SQLITE_STATIC);
    while (s != NULL && sqlite3_step(s) == SQLITE_ROW) {
        bool expected = hd_study_kind_expected(kinds, column_text(s, 0));

        if (!before || expected) {
            snprintf(c->kind, sizeof c->kind, "%s", column_text(s, 0));
            snprintf(c->place, sizeof c->place, "%s", column_text(s, 1));
        }
        if (expected && before)
            c->first = number_or_none(s, 2);
        before = true;
        c->other_kind = !expected;
        if (expected)
            break;
    }
    if (c->other_kind)
        c->first = HD_CELL_NONE;
    sqlite3_finalize(s);
}

bool hd_study_db_parse(struct hd_study_db *db, const char *json, const char *kinds, struct hd_cell *cell)
{
#define X(key) "json_extract(?1, '$." key "')"
    sqlite3_stmt *s = prepare(db, "SELECT " X("executions") "," X("first_bug_execution") "," X("buggy") ","
                              X("last_bound") "," X("new_at_bound") "," X("buggy_at_bound") "," X("classes")
                              "," X("redundant") "," X("steps_max") "," X("threads_max") "," X("complete") ","
                              X("verdict") "," X("seconds") " WHERE json_valid(?1) AND "
                              "coalesce(" X("interrupted") ", 0) = 0");
#undef X
    sqlite3_bind_text(s, 1, json, -1, SQLITE_STATIC);
    bool good = s != NULL && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) == SQLITE_INTEGER;

    if (good)
        take_totals(s, cell);
    sqlite3_finalize(s);
    if (good)
        take_findings(db, json, kinds, cell);
    return good;
}
