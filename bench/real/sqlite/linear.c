/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - SQLite with a connection for each client: `linear MODE PAIR`, a test of `heddle linearize`.
 *
 * Modes: shared, connections that share a cache, of a database in memory; wal, connections of their own to a file in
 * the current directory, with a write-ahead log; delete, the same with a rollback journal.
 *
 * A request that finds the database locked is refused and has no effect, which no sequential order shows: clients repeat it
 * until it is accepted, as applications do. */
#include <heddle/linear.h>

#include <sched.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *connection[3]; /* of the clients, and for set-up and probes */
static const char *const *script[2];

static int add_row(void *text, int n, char **value, char **name)
{
    char *to = text;

    (void)name;
    for (int i = 0; i < n; i++) {
        size_t used = strlen(to);

        snprintf(to + used, 200 - used, "%s%s", used > 0 ? " " : "", value[i] != NULL ? value[i] : "null");
    }
    return 0;
}

static int is_refused(int code)
{
    return (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
}

/* Runs the request until it is not refused any more. */
static int run(sqlite3 *db, const char *sql, char *rows)
{
    int code;

    do {
        rows[0] = '\0';
        code = sqlite3_exec(db, sql, add_row, rows, NULL);
        if (is_refused(code))
            sched_yield();
    } while (is_refused(code));
    return code;
}

static void request(sqlite3 *db, const char *sql)
{
    char rows[200];

    heddle_call("%s", sql);
    int code = run(db, sql, rows);

    if (code == SQLITE_OK)
        heddle_return("%s", rows[0] != '\0' ? rows : "done");
    else
        heddle_return_error("%s", sqlite3_errstr(code));
}

/* Adds 1 to a value as applications do that do not know transactions; with one it is right. */
static void increment(sqlite3 *db, int in_transaction)
{
    char rows[200], sql[80];

    heddle_call("increment");
    if (in_transaction)
        run(db, "BEGIN IMMEDIATE", rows);
    run(db, "SELECT v FROM t WHERE k=7", rows);
    snprintf(sql, sizeof sql, "UPDATE t SET v=%d WHERE k=7", atoi(rows) + 1);
    run(db, sql, rows);
    if (in_transaction)
        run(db, "COMMIT", rows);
    heddle_return("%d", atoi(sql + strlen("UPDATE t SET v=")));
}

static void client(int c)
{
    for (int i = 0; script[c][i] != NULL; i++)
        if (strncmp(script[c][i], "increment", 9) == 0)
            increment(connection[c], script[c][i][9] != '\0');
        else
            request(connection[c], script[c][i]);
}

static void first(void)
{
    client(0);
}

static void second(void)
{
    client(1);
}

struct pair {
    const char *name;
    const char *const script[2][4];
};

static const struct pair pairs[] = {
    { "insert-insert", { { "INSERT INTO t VALUES(1,10)" }, { "INSERT INTO t VALUES(2,20)" } } },
    { "insert-select", { { "INSERT INTO t VALUES(1,10)" }, { "SELECT count(*), sum(v) FROM t", "SELECT count(*) FROM t" } } },
    { "update-update", { { "UPDATE t SET v=v+1" }, { "UPDATE t SET v=v*2" } } },
    { "update-select", { { "UPDATE t SET v=v+1" }, { "SELECT k,v FROM t ORDER BY k" } } },
    { "replace-delete", { { "REPLACE INTO t VALUES(7,1)" }, { "DELETE FROM t WHERE k=7", "SELECT count(*) FROM t" } } },
    { "increment", { { "increment" }, { "increment" } } },
    { "increment-transaction", { { "increment!" }, { "increment!" } } },
    { "create-drop", { { "CREATE TABLE u AS SELECT * FROM t" }, { "DROP TABLE IF EXISTS u" } } },
};

static const struct pair *find(const char *name)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i].name, name) == 0)
            return &pairs[i];
    fprintf(stderr, "linear: no pair %s\n", name);
    exit(1);
}

static void must(sqlite3 *db, const char *sql)
{
    char rows[200];

    if (run(db, sql, rows) != SQLITE_OK) {
        fprintf(stderr, "linear: %s: %s\n", sql, sqlite3_errmsg(db));
        exit(1);
    }
}

static void set_up(const char *mode)
{
    char name[80];
    int shared = strcmp(mode, "shared") == 0, wal = strcmp(mode, "wal") == 0;

    snprintf(name, sizeof name, "%s", shared ? "file:memory?mode=memory&cache=shared" : "linear.db");
    if (!shared) { /* what an earlier execution has left */
        unlink("linear.db");
        unlink("linear.db-wal");
        unlink("linear.db-shm");
        unlink("linear.db-journal");
    }
    for (int i = 0; i < 3; i++) {
        if (sqlite3_open_v2(name, &connection[i], SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL) !=
            SQLITE_OK)
            exit(1);
        if (!shared)
            must(connection[i], wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE");
        must(connection[i], "PRAGMA synchronous=OFF");
    }
    must(connection[2], "CREATE TABLE t(k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES(7,70);");
    for (int i = 0; i < 2; i++) /* read the schema */
        must(connection[i], "SELECT count(*) FROM t");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    const struct pair *p = find(argv[2]);

    sqlite3_config(SQLITE_CONFIG_SERIALIZED);
    set_up(argv[1]);
    script[0] = p->script[0];
    script[1] = p->script[1];
    heddle_clients(first, second);
    request(connection[2], "SELECT k,v FROM t ORDER BY k");
    request(connection[2], "SELECT name FROM sqlite_master ORDER BY name");
    request(connection[2], "PRAGMA integrity_check");
    for (int i = 0; i < 3; i++)
        sqlite3_close(connection[i]);
    return 0;
}
