/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schema.c - the tables.  To change them, add a list of statements at the end of `versions`. docs/cluster.md
 * describes the tables for people who query them. */
#include "store/schema.h"

#include <stdio.h>
#include <string.h>

static const char *const version_1[] = {
    "CREATE TABLE campaign ("
    " id @id@, name text NOT NULL UNIQUE, state text NOT NULL, outcome text NOT NULL, kind bigint NOT NULL,"
    " pass bigint NOT NULL, valid_from bigint NOT NULL, bound bigint NOT NULL, flags bigint NOT NULL,"
    " next_index bigint NOT NULL, index_limit bigint NOT NULL, spec text NOT NULL, hash text NOT NULL, places @blob@,"
    " created double precision NOT NULL, deadline double precision)",
    "CREATE TABLE work ("
    " id @id@, campaign bigint NOT NULL REFERENCES campaign ON DELETE CASCADE, pass bigint NOT NULL,"
    " parent bigint, ord bigint NOT NULL, depth bigint NOT NULL, label @blob@, step @blob@, known bigint NOT NULL,"
    " state bigint NOT NULL, cursor_ @blob@, first_index bigint, end_index bigint,"
    " holder text, fence bigint NOT NULL, expires double precision NOT NULL)",
    "CREATE UNIQUE INDEX work_label ON work (parent, label)",
    "CREATE INDEX work_left ON work (campaign, pass, state, depth, id)",
    "CREATE INDEX work_siblings ON work (parent, ord)",
    "CREATE TABLE result ("
    " work bigint NOT NULL REFERENCES work ON DELETE CASCADE, fence bigint NOT NULL, campaign bigint NOT NULL,"
    " pass bigint NOT NULL, worker text NOT NULL, at double precision NOT NULL, seconds double precision NOT NULL,"
    " executions bigint NOT NULL, redundant bigint NOT NULL, buggy bigint NOT NULL, totals @blob@,"
    " PRIMARY KEY (work, fence))",
    "CREATE INDEX result_campaign ON result (campaign, pass)",
    "CREATE TABLE finding ("
    " campaign bigint NOT NULL REFERENCES campaign ON DELETE CASCADE, signature text NOT NULL, kind text NOT NULL,"
    " message text NOT NULL, found_index bigint NOT NULL, worker text NOT NULL, at double precision NOT NULL,"
    " schedule @blob@, report @blob@, PRIMARY KEY (campaign, signature))",
    "CREATE TABLE worker ("
    " id text PRIMARY KEY, campaign bigint NOT NULL REFERENCES campaign ON DELETE CASCADE, idle bigint NOT NULL,"
    " seen double precision NOT NULL)",
    NULL,
};

/* The knowledge that all sessions share changes while a campaign runs.  A slice that is based on an old version is
 * refused. */
static const char *const version_2[] = {
    "ALTER TABLE campaign ADD COLUMN places_version bigint NOT NULL DEFAULT 0",
    NULL,
};

/* Programs for `heddle worker`. */
static const char *const version_3[] = {
    "CREATE TABLE program ("
    " campaign bigint PRIMARY KEY REFERENCES campaign ON DELETE CASCADE, name text NOT NULL, build_id text NOT NULL,"
    " features text NOT NULL, command @blob@, reference @blob@, content @blob@)",
    NULL,
};

/* The verdicts that workers store when they leave, for the dashboard. */
static const char *const version_4[] = {
    "CREATE TABLE verdict ("
    " campaign bigint PRIMARY KEY REFERENCES campaign ON DELETE CASCADE, pass bigint NOT NULL, executions bigint NOT NULL,"
    " at double precision NOT NULL, verdict text NOT NULL, sentence text NOT NULL)",
    NULL,
};

/* The regression corpus.  It does not refer to campaigns, because it outlives them. */
static const char *const version_5[] = {
    "CREATE TABLE corpus ("
    " program text NOT NULL, signature text NOT NULL, kind text NOT NULL, message text NOT NULL, at double precision NOT NULL,"
    " schedule @blob@, PRIMARY KEY (program, signature))",
    NULL,
};

/* The states of interrupted searches, in pieces (states.h). */
static const char *const version_6[] = {
    "CREATE TABLE state (name text NOT NULL, number bigint NOT NULL, data @blob@, PRIMARY KEY (name, number))",
    NULL,
};

static const char *const *const versions[] = { version_1, version_2, version_3, version_4, version_5, version_6 };
enum { NEWEST = sizeof versions / sizeof *versions };

static bool failed(struct hd_sql *q, char *error, size_t cap)
{
    snprintf(error, cap, "%s", hd_sql_error(q));
    hd_sql_rollback(q);
    return false;
}

static void refuse_newer(int64_t version, char *error, size_t cap)
{
    snprintf(error, cap, "the store has schema %lld, and this Heddle knows schemas up to %d; use a newer Heddle",
             (long long)version, NEWEST);
}

bool hd_schema_is_current(struct hd_sql *q, char *error, size_t cap)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(q, &r, "SELECT version FROM heddle_schema", "")) {
        snprintf(error, cap, "%s", hd_sql_error(q));
        if (strstr(error, "heddle_schema") != NULL)
            snprintf(error, cap, "the database is no store of campaigns, or this role may not read it; 'heddle run --store' makes "
                                 "a store, and GRANT SELECT ON ALL TABLES IN SCHEMA public lets a role read it");
        return false;
    }
    int64_t version = r.n > 0 ? hd_sql_int(&r, 0, 0) : 0;

    hd_sql_free(&r);
    if (version > NEWEST)
        refuse_newer(version, error, cap);
    else if (version < NEWEST)
        snprintf(error, cap, "the store has schema %lld of an older Heddle; 'heddle campaign list' brings it to schema %d, if it "
                             "may write", (long long)version, NEWEST);
    return version == NEWEST;
}

/* Creates the table of the version, outside of the transaction.  Several processes may open a new store at the same
 * time; all but one then wait for the row of that table.  A process may also come between the creation of the table
 * and that of the row. */
static bool make_version(struct hd_sql *q, int64_t *version)
{
    struct hd_sql_rows r = { .n = 0 };
    bool there = hd_sql_run(q, &r, "SELECT version FROM heddle_schema", "") && r.n > 0;

    *version = there ? hd_sql_int(&r, 0, 0) : 0;
    hd_sql_free(&r);
    if (there)
        return true;
    hd_sql_run(q, NULL, "CREATE TABLE IF NOT EXISTS heddle_schema (one bigint PRIMARY KEY, version bigint NOT NULL)", "");
    return hd_sql_run(q, NULL, "INSERT INTO heddle_schema VALUES (1, 0) ON CONFLICT DO NOTHING", "");
}

/* A role that may only read needs no lock if the schema is the newest version. */
bool hd_schema_update(struct hd_sql *q, char *error, size_t cap)
{
    struct hd_sql_rows r;
    int64_t version;

    if (!make_version(q, &version)) {
        snprintf(error, cap, "%s", hd_sql_error(q));
        return false;
    }
    if (version == NEWEST)
        return true;
    if (!hd_sql_begin(q) || !hd_sql_run(q, &r, "SELECT version FROM heddle_schema @lock@", ""))
        return failed(q, error, cap);
    version = r.n > 0 ? hd_sql_int(&r, 0, 0) : 0;
    hd_sql_free(&r);
    if (version > NEWEST) {
        hd_sql_rollback(q);
        refuse_newer(version, error, cap);
        return false;
    }
    for (int64_t v = version; v < NEWEST; v++)
        for (const char *const *s = versions[v]; *s != NULL; s++)
            if (!hd_sql_run(q, NULL, *s, ""))
                return failed(q, error, cap);
    if (!hd_sql_run(q, NULL, "UPDATE heddle_schema SET version = $1", "i", (int64_t)NEWEST) || !hd_sql_commit(q))
        return failed(q, error, cap);
    return true;
}
