/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schema.c - the tables.  A change is another list of statements at the end of `versions`; docs/cluster.md describes the
 * tables for people who query them. */
#include "store/schema.h"

#include <stdio.h>

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

/* What all sessions must agree on changes while a campaign runs, and a slice that is based on an old state is refused. */
static const char *const version_2[] = {
    "ALTER TABLE campaign ADD COLUMN places_version bigint NOT NULL DEFAULT 0",
    NULL,
};

static const char *const *const versions[] = { version_1, version_2 };
enum { NEWEST = sizeof versions / sizeof *versions };

static bool failed(struct hd_sql *q, char *error, size_t cap)
{
    snprintf(error, cap, "%s", hd_sql_error(q));
    hd_sql_rollback(q);
    return false;
}

/* The table of the version is made outside of the transaction: several processes may open a new store at the same time, and
 * its row is what all but one of them wait for.  They may also come between the table and its row. */
static bool make_version(struct hd_sql *q)
{
    struct hd_sql_rows r = { .n = 0 };
    bool there = hd_sql_run(q, &r, "SELECT version FROM heddle_schema", "") && r.n > 0;

    hd_sql_free(&r);
    if (there)
        return true;
    hd_sql_run(q, NULL, "CREATE TABLE IF NOT EXISTS heddle_schema (one bigint PRIMARY KEY, version bigint NOT NULL)", "");
    return hd_sql_run(q, NULL, "INSERT INTO heddle_schema VALUES (1, 0) ON CONFLICT DO NOTHING", "");
}

bool hd_schema_update(struct hd_sql *q, char *error, size_t cap)
{
    struct hd_sql_rows r;

    if (!make_version(q)) {
        snprintf(error, cap, "%s", hd_sql_error(q));
        return false;
    }
    if (!hd_sql_begin(q) || !hd_sql_run(q, &r, "SELECT version FROM heddle_schema @lock@", ""))
        return failed(q, error, cap);
    int64_t version = r.n > 0 ? hd_sql_int(&r, 0, 0) : 0;

    hd_sql_free(&r);
    if (version > NEWEST) {
        hd_sql_rollback(q);
        snprintf(error, cap, "the store has schema %lld, and this Heddle knows schemas up to %d; use a newer Heddle",
                 (long long)version, NEWEST);
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
