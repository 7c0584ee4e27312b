/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_db_test.c - results in SQLite: what is kept comes back, what is the same is not done
 * again, and what is killed loses nothing that was kept. */
#include "support/unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/db.h"

static char path[64];

static int setup(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/heddle-study-XXXXXX");
    int fd = mkstemp(path);

    return fd < 0 ? -1 : close(fd) | unlink(path);
}

static int teardown(void **state)
{
    char side[80];

    (void)state;
    unlink(path);
    for (const char **end = (const char *[]){ "-wal", "-shm", NULL }; *end != NULL; end++) {
        snprintf(side, sizeof side, "%s%s", path, *end);
        unlink(side);
    }
    return 0;
}

static struct hd_study_db *opened(void)
{
    char error[400] = "";
    struct hd_study_db *db = hd_study_db_open(path, false, error, sizeof error);

    if (db == NULL)
        fail_msg("%s", error);
    return db;
}

static struct hd_cell cell_of(const char *program, uint64_t seed)
{
    struct hd_cell c;

    memset(&c, 0, sizeof c); /* the gaps, too: cells are compared as bytes */
    c.key.seed = seed;
    c.key.limit = 100;
    c.key.budget_ms = 5000;
    c.samples = c.complete = true;
    int64_t *const numbers[] = { &c.executions, &c.first, &c.buggy, &c.bound, &c.fresh, &c.buggy_at_bound,
                                 &c.classes, &c.redundant, &c.steps, &c.threads };

    for (size_t i = 0; i < COUNT_OF(numbers); i++) /* each its own, so that two mixed up show */
        *numbers[i] = 11 + (int64_t)i;
    c.seconds = 0.25;
    c.rate = 44;
    snprintf(c.key.program, sizeof c.key.program, "%s", program);
    snprintf(c.key.strategy, sizeof c.key.strategy, "pct:d=3");
    snprintf(c.key.options, sizeof c.key.options, "--races off");
    snprintf(c.key.build, sizeof c.key.build, "00ff");
    snprintf(c.key.version, sizeof c.key.version, "1.2.3");
    snprintf(c.suite, sizeof c.suite, "suite");
    snprintf(c.kind, sizeof c.kind, "assertion");
    snprintf(c.place, sizeof c.place, "at 'x' of \"y\"; --");
    snprintf(c.verdict, sizeof c.verdict, "bug");
    return c;
}

static void put(struct hd_study_db *db, const struct hd_cell *c)
{
    char error[400];

    if (!hd_study_db_put(db, c, error, sizeof error))
        fail_msg("%s", error);
}

static struct hd_cells load(struct hd_study_db *db)
{
    struct hd_cells cells;
    char error[400];

    if (!hd_study_db_load(db, &cells, error, sizeof error))
        fail_msg("%s", error);
    return cells;
}

static void what_is_kept_comes_back(void **state)
{
    struct hd_study_db *db = opened();
    struct hd_cell c = cell_of("p", 7), failed = cell_of("q", 7);

    (void)state;
    failed.state = HD_CELL_KILLED;
    failed.executions = failed.first = HD_CELL_NONE;
    put(db, &c);
    put(db, &failed);
    hd_study_db_close(db);
    db = opened();
    struct hd_cells cells = load(db);

    assert_int_equal(cells.n, 2);
    assert_memory_equal(&cells.cell[0], &c, sizeof c);
    assert_memory_equal(&cells.cell[1], &failed, sizeof failed);
    free(cells.cell);
    hd_study_db_close(db);
}

/* Every part of the key counts; a result counts, a failure does not. */
static void only_the_same_cell_is_there(void **state)
{
    struct hd_study_db *db = opened();
    struct hd_cell c = cell_of("p", 7), other;

    (void)state;
    assert_false(hd_study_db_has(db, &c.key));
    c.state = HD_CELL_CRASHED;
    put(db, &c);
    assert_false(hd_study_db_has(db, &c.key));
    c.state = HD_CELL_DONE;
    put(db, &c);
    assert_true(hd_study_db_has(db, &c.key));
#define OTHER(change) (other = c, change, assert_false(hd_study_db_has(db, &other.key)))
    OTHER(other.key.program[0] = 'q');
    OTHER(other.key.strategy[6] = '4');
    OTHER(other.key.seed++);
    OTHER(other.key.limit++);
    OTHER(other.key.budget_ms++);
    OTHER(other.key.keep_going = true);
    OTHER(other.key.options[0] = '\0');
    OTHER(other.key.build[0] = '1');
    OTHER(other.key.version[0] = '2');
#undef OTHER
    hd_study_db_close(db);
}

/* The newest of a program, strategy and seed is what the tables show. */
static void the_newest_is_shown(void **state)
{
    struct hd_study_db *db = opened();
    struct hd_cell c = cell_of("p", 7), d = cell_of("p", 8);

    (void)state;
    put(db, &c);
    put(db, &d);
    c.key.limit = 200;
    c.executions = 99;
    put(db, &c);
    struct hd_cells cells = load(db);

    assert_int_equal(cells.n, 2);
    assert_true(cells.cell[0].key.seed == 8 && cells.cell[1].executions == 99);
    free(cells.cell);
    hd_study_db_close(db);
}

/* A writer that is killed without warning, in the middle of many cells: all those that it had
 * put are there, whole, and the file can be written to. */
static void a_kill_loses_nothing(void **state)
{
    int counted[2];
    char byte;
    uint64_t told = 0;

    (void)state;
    assert_int_equal(pipe(counted), 0);
    pid_t pid = fork();

    if (pid == 0) {
        struct hd_study_db *db = opened();

        for (uint64_t seed = 1;; seed++) {
            struct hd_cell c = cell_of("p", seed);

            put(db, &c);
            if (write(counted[1], "x", 1) != 1)
                _exit(1);
        }
    }
    close(counted[1]);
    while (told < 50 && read(counted[0], &byte, 1) == 1)
        told++;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    while (read(counted[0], &byte, 1) == 1)
        told++;
    close(counted[0]);
    struct hd_study_db *db = opened();
    struct hd_cells cells = load(db);

    assert_true(told >= 50 && (cells.n == told || cells.n == told + 1));
    for (size_t i = 0; i < cells.n; i++) {
        struct hd_cell c = cell_of("p", i + 1);

        assert_memory_equal(&cells.cell[i], &c, sizeof c);
    }
    struct hd_cell more = cell_of("q", 1);

    put(db, &more);
    free(cells.cell);
    hd_study_db_close(db);
}

/* ---- other files ------------------------------------------------------------------------------ */

static void refuses(const char *reason)
{
    char error[400] = "";

    assert_null(hd_study_db_open(path, false, error, sizeof error));
    if (strstr(error, reason) == NULL)
        fail_msg("'%s' does not say '%s'", error, reason);
}

static void sql(const char *text)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void other_files_stay_as_they_are(void **state)
{
    char back[100] = "", error[400];
    static const char text[] = "This is a letter, and no database at all; it is long enough, too.\n";

    (void)state;
    assert_null(hd_study_db_open(path, true, error, sizeof error)); /* must exist */
    assert_int_equal(access(path, F_OK), -1);
    FILE *f = fopen(path, "w+");

    assert_non_null(f);
    fputs(text, f);
    fflush(f);
    refuses("is no database");
    rewind(f);
    assert_non_null(fgets(back, sizeof back, f));
    assert_string_equal(back, text);
    fclose(f);
    unlink(path);
    sql("CREATE TABLE letters(a)");
    refuses("a database of something else");
    unlink(path);
    sql("CREATE TABLE cell(a)"); /* even when its table has our name */
    refuses("a database of something else");
    unlink(path);
    hd_study_db_close(opened());
    sql("PRAGMA user_version=99");
    refuses("newer version");
}

/* ---- results of heddle run -------------------------------------------------------------------- */

#define TOTALS "{\"executions\": 50, \"first_bug_execution\": 23, \"buggy\": 9, \"last_bound\": null, " \
               "\"new_at_bound\": 47, \"buggy_at_bound\": 8, \"redundant\": 3, \"steps_max\": 44, " \
               "\"threads_max\": 3, \"complete\": true, \"verdict\": \"bug\", \"seconds\": 0.5, "
#define FINDING(kind, execution) "{\"kind\": \"" kind "\", \"message\": \"m" execution "\", \"execution\": " execution "}"

static struct hd_cell parsed(const char *json, const char *kinds, const char *strategy)
{
    struct hd_study_db *db = opened();
    struct hd_cell c = { .classes = HD_CELL_NONE };

    snprintf(c.key.strategy, sizeof c.key.strategy, "%s", strategy);
    assert_true(hd_study_db_parse(db, json, kinds, &c));
    hd_study_db_close(db);
    return c;
}

static void results_are_read(void **state)
{
    struct hd_cell c = parsed(TOTALS "\"findings\": [" FINDING("assertion", "23") "]}", "deadlock|assertion", "dfs");

    (void)state;
    assert_true(c.executions == 50 && c.first == 23 && c.buggy == 9 && c.fresh == 47 && c.buggy_at_bound == 8);
    assert_true(c.bound == HD_CELL_NONE && c.classes == HD_CELL_NONE && c.steps == 44 && c.threads == 3);
    assert_true(c.complete && !c.other_kind && c.rate == 100);
    assert_string_equal(c.kind, "assertion");
    assert_string_equal(c.place, "m23");
    assert_int_equal(parsed(TOTALS "\"findings\": []}", "", "dpor-optimal").classes, 50);
    assert_int_equal(parsed(TOTALS "\"classes\": 5, \"findings\": []}", "", "dfs").classes, 5);
}

/* Another finding than the bug is not the bug; one before it does not hide it. */
static void another_kind_is_not_the_bug(void **state)
{
    struct hd_cell c = parsed(TOTALS "\"findings\": [" FINDING("leak", "23") "]}", "assertion", "dfs");

    (void)state;
    assert_true(c.other_kind && c.first == HD_CELL_NONE && c.buggy == 9);
    assert_string_equal(c.kind, "leak");
    c = parsed(TOTALS "\"findings\": [" FINDING("assertion", "30") "," FINDING("leak", "23") "]}", "assertion", "dfs");
    assert_true(!c.other_kind && c.first == 30);
    assert_string_equal(c.kind, "assertion");
    c = parsed(TOTALS "\"findings\": [" FINDING("leak", "23") "]}", "", "dfs");
    assert_true(!c.other_kind && c.first == 23);
}

static void half_a_result_is_none(void **state)
{
    static const char *const bad[] = { "", "{\"executions\": 5", "[]", "{}", "{\"executions\": null}",
                                       TOTALS "\"interrupted\": true, \"findings\": []}" };
    struct hd_study_db *db = opened();
    struct hd_cell c;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        if (hd_study_db_parse(db, bad[i], "", &c))
            fail_msg("taken for a result: %s", bad[i]);
    hd_study_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(what_is_kept_comes_back), T(only_the_same_cell_is_there), T(the_newest_is_shown),
        T(a_kill_loses_nothing), T(other_files_stay_as_they_are), T(results_are_read),
        T(another_kind_is_not_the_bug), T(half_a_result_is_none),
#undef T
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
