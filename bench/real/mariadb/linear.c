/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - MariaDB's embedded server with two clients, a test of `heddle linearize`: `linear DIRECTORY PAIR`.
 *
 * PAIR is 1 to 12: the pairs of requests with which PIKE found bugs in MySQL (P. Fonseca and others, EuroSys 2011, Table 2), or 13,
 * which fails by design: each client reads a number and inserts the next one.  Tables are MyISAM, the query cache is on.  Every
 * execution has a directory of its own in DIRECTORY.  Results are the rows or the error; then all
 * tables are read, twice, as the second answer comes from the query cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/linear.h>
#include <mysql.h>

#define T1 "CREATE TABLE t1 (a INT, s VARCHAR(20))", "INSERT INTO t1 VALUES (1, 'one'), (2, 'two')"
#define T2 "CREATE TABLE t2 (a INT, s VARCHAR(20))", "INSERT INTO t2 VALUES (2, 'second')"
#define T3 "CREATE TABLE t3 (a INT)", "INSERT INTO t3 VALUES (1)"
#define JOIN "SELECT DISTINCT t1.a FROM t1, t3 WHERE t1.a = t3.a"
#define STRAIGHT "SELECT t1.a, t2.s FROM t1 STRAIGHT_JOIN t2 ON t1.a = t2.a"

static const struct pair {
    const char *setup[5], *one, *two;
} pairs[] = {
    { { T1 }, "CREATE TABLE t2 LIKE t1", "INSERT INTO t2 SELECT * FROM t1" },
    { { T1, T3 }, "INSERT INTO t3 VALUES (2)", JOIN },
    { { "CREATE TABLE t1 (a INT, s VARCHAR(20))", T3 }, "CREATE TABLE t2 LIKE t1", "INSERT INTO t2 SELECT * FROM t1" },
    { { T1, T2 }, "TRUNCATE TABLE t1", "SELECT * FROM t2" },
    { { T1 }, "INSERT INTO t1 VALUES (3, 'three')", "SELECT a FROM t1" },
    { { T1, T2 }, "INSERT INTO t2 VALUES (1, 'third')", STRAIGHT },
    { { T1, T2 }, "DROP TABLE t1", "SHOW TABLE STATUS" },
    { { T1 }, "INSERT INTO t1 VALUES (3, 'three')", "SELECT SEC_TO_TIME(a) FROM t1 GROUP BY a" },
    { { T1 }, "CREATE TABLE t2 SELECT * FROM t1", "DROP TABLE t2" },
    { { T1 }, "INSERT INTO t1 VALUES (3, REPEAT('x', 20))", "SELECT LENGTH(s) FROM t1" },
    { { T1 }, "INSERT INTO t1 VALUES (3, 'three')", "SELECT COUNT(*) FROM t1 WHERE s LIKE 't%'" },
    { { T1 }, "OPTIMIZE TABLE t1", "DROP TABLE t1" },
    { { T3 }, "count", "count" },
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static const struct pair *pair;
static MYSQL *connection[3]; /* of the clients, and for set-up and probes */

/* Sends a request.  Returns 1 if its answer, rows or an error, is an error. */
static int ask(MYSQL *c, const char *request, char *answer, size_t cap)
{
    int shown = strncmp(request, "SHOW TABLE STATUS", 17) == 0 ? 2 : 100; /* then come sizes and times */
    MYSQL_RES *result;
    MYSQL_ROW row;
    size_t n = 0;

    answer[0] = '\0';
    if (mysql_query(c, request) != 0) {
        snprintf(answer, cap, "error %u: %s", mysql_errno(c), mysql_error(c));
        return 1;
    }
    result = mysql_store_result(c);
    if (result == NULL) {
        snprintf(answer, cap, "%llu rows", (unsigned long long)mysql_affected_rows(c));
        return 0;
    }
    while ((row = mysql_fetch_row(result)) != NULL && n < cap)
        for (int i = 0; i < (int)mysql_num_fields(result) && i < shown && n < cap; i++)
            n += (size_t)snprintf(answer + n, cap - n, "%s%s", row[i] != NULL ? row[i] : "NULL",
                                  i + 1 < (int)mysql_num_fields(result) && i + 1 < shown ? "," : " ");
    mysql_free_result(result);
    return 0;
}

/* A read and a write of the next number, as one operation. */
static int count(MYSQL *c, char *answer, size_t cap)
{
    char text[80];

    if (ask(c, "SELECT MAX(a) FROM t3", answer, cap))
        return 1;
    snprintf(text, sizeof text, "INSERT INTO t3 VALUES (%d)", atoi(answer) + 1);
    return ask(c, text, answer, cap);
}

static void request(MYSQL *c, const char *text)
{
    char answer[200];

    heddle_call("%s", text);
    if (strcmp(text, "count") == 0 ? count(c, answer, sizeof answer) : ask(c, text, answer, sizeof answer))
        heddle_return_error("%s", answer);
    else
        heddle_return("%s", answer);
}

static void first(void)
{
    mysql_thread_init();
    request(connection[0], pair->one);
    mysql_thread_end();
}

static void second(void)
{
    mysql_thread_init();
    request(connection[1], pair->two);
    mysql_thread_end();
}

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "linear: %s\n", what);
    exit(1);
}

static MYSQL *open_connection(const char *database)
{
    MYSQL *c = mysql_init(NULL);

    mysql_options(c, MYSQL_OPT_USE_EMBEDDED_CONNECTION, NULL);
    if (mysql_real_connect(c, NULL, NULL, NULL, database, 0, NULL, 0) == NULL)
        must(0, mysql_error(c));
    return c;
}

static void set_up(void)
{
    char answer[200];

    connection[2] = open_connection(NULL);
    must(!ask(connection[2], "CREATE DATABASE d", answer, sizeof answer), answer);
    must(!ask(connection[2], "USE d", answer, sizeof answer), answer);
    for (int i = 0; i < 5 && pair->setup[i] != NULL; i++)
        must(!ask(connection[2], pair->setup[i], answer, sizeof answer), answer);
    connection[0] = open_connection("d");
    connection[1] = open_connection("d");
}

/* All executions have the same getpid(); the link has the kernel's number. */
static void own_directory(char *name, size_t cap, const char *in)
{
    char number[32] = "";

    must(readlink("/proc/self", number, sizeof number - 1) > 0, "/proc/self");
    snprintf(name, cap, "--datadir=%s/%s", in, number);
    must(mkdir(strchr(name, '=') + 1, 0700) == 0, "mkdir");
}

int main(int argc, char **argv)
{
    char data[300], *server[] = {
        "linear", "--no-defaults", data, "--skip-innodb", "--default-storage-engine=MyISAM",
        "--default-tmp-storage-engine=MyISAM", "--query-cache-type=1", "--query-cache-size=1M", "--skip-grant-tables",
        "--skip-stack-trace", "--key-buffer-size=64K", "--aria-pagecache-buffer-size=1M",
    };
    int number = argc > 2 ? atoi(argv[2]) : 0;

    if (number < 1 || number > PAIRS) {
        fprintf(stderr, "usage: %s DIRECTORY 1..%d\n", argv[0], (int)PAIRS);
        return 1;
    }
    pair = &pairs[number - 1];
    own_directory(data, sizeof data, argv[1]);
    must(mysql_server_init(sizeof server / sizeof *server, server, NULL) == 0, "the server does not start");
    set_up();
    heddle_start();
    heddle_clients(first, second);
    for (int i = 0; i < 2; i++) {
        request(connection[2], "SELECT * FROM t1");
        request(connection[2], "SELECT * FROM t2");
        request(connection[2], "SELECT * FROM t3");
        request(connection[2], pair->two);
    }
    fflush(NULL);
    _exit(0);
}
