/* SPDX-License-Identifier: BSD-2-Clause
 *
 * server.c - a small table server in one process, for the twelve pairs of requests with which PIKE found bugs in MySQL
 * (P. Fonseca and others, EuroSys 2011, Table 2): `server PAIR` has the bug of that pair, `server PAIR fixed` has not.
 *
 * A request holds the lock `tables` while it works on definitions, data, index and log.  Each bug is a request that lets
 * go of it in the middle, or works on the query cache without looking whether a table has changed meanwhile.
 *
 * Two things are as intended, and need a rule (docs/linearize.md):
 *   table cache   two clients that open a table at the same time leave two entries     superset
 *   query cache   a result is not entered if any table has changed since it was read   subset */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/linear.h>

enum { TABLES = 3, ROWS = 8, LOG = 8, QUERIES = 2, PAIRS = 12 };
enum { STALE = 1, CREATES_IN_STEPS = 2, FORGETS_PLACE = 4, SHOWS_IN_STEPS = 8, FILLS_LATER = 16, LOGS_LATER = 32 };

static int bug; /* of these */
static pthread_mutex_t tables = PTHREAD_MUTEX_INITIALIZER, caches = PTHREAD_MUTEX_INITIALIZER;

/* `tables` protects these */
static struct {
    int defined, has_file, n, row[ROWS];
} table[TABLES];
static int indexed[TABLES][ROWS], nindexed[TABLES];
static const char *logged[LOG];
static int nlogged, changes;

/* `caches` protects these */
static struct {
    const char *query;
    int used, filled, result, reads[TABLES];
} cache[QUERIES];
static int opened[ROWS], nopened, flushes;

/* ---- parts ------------------------------------------------------------------------------------------ */

static void open_table(int t)
{
    int found = 0;

    pthread_mutex_lock(&caches);
    for (int i = 0; i < nopened; i++)
        found |= opened[i] == t;
    pthread_mutex_unlock(&caches);
    if (found)
        return;
    pthread_mutex_lock(&caches);
    opened[nopened++] = t;
    pthread_mutex_unlock(&caches);
}

static void append_log(const char *request)
{
    logged[nlogged++] = request;
}

/* A table has changed: results that were read from it are no longer valid. */
static void invalidate(int t)
{
    changes++;
    pthread_mutex_lock(&caches);
    for (int i = 0; i < QUERIES; i++)
        if (cache[i].used && cache[i].filled && cache[i].reads[t])
            cache[i].used = 0;
    pthread_mutex_unlock(&caches);
}

static void store(int t, int v)
{
    table[t].row[table[t].n++] = v;
    indexed[t][nindexed[t]++] = v;
}

/* Returns the place of the query, a new one if it has none. */
static int place_of(const char *query)
{
    int free = -1;

    for (int i = 0; i < QUERIES; i++) {
        if (cache[i].used && strcmp(cache[i].query, query) == 0)
            return i;
        if (!cache[i].used && free < 0)
            free = i;
    }
    return free;
}

static void enter_result(const char *query, int a, int b, int result)
{
    int i = place_of(query);

    cache[i].query = query;
    cache[i].used = cache[i].filled = 1;
    cache[i].result = result;
    memset(cache[i].reads, 0, sizeof cache[i].reads);
    cache[i].reads[a] = cache[i].reads[b] = 1;
}

/* ---- queries ---------------------------------------------------------------------------------------- */

static int distinct_join(int a, int b)
{
    int n = 0;

    for (int i = 0; i < table[a].n; i++)
        for (int k = 0; k < table[b].n; k++)
            n += table[a].row[i] == table[b].row[k];
    return n;
}

static int straight_join(int a, int b)
{
    return table[a].n * table[b].n;
}

static int last_row(int a, int b)
{
    (void)b;
    return table[a].n > 0 ? table[a].row[table[a].n - 1] : 0;
}

static int groups(int a, int b)
{
    int seen[ROWS] = { 0 }, n = 0;

    (void)b;
    for (int i = 0; i < table[a].n; i++)
        if (!seen[table[a].row[i] % ROWS]++)
            n++;
    return n;
}

static int length(int a, int b)
{
    int n = 0;

    (void)b;
    for (int i = 0; i < table[a].n; i++)
        n += table[a].row[i];
    return n;
}

static int count_like(int a, int b)
{
    int n = 0;

    (void)b;
    for (int i = 0; i < table[a].n; i++)
        n += table[a].row[i] % 2;
    return n;
}

/* With FORGETS_PLACE: takes a place before the result is there, and fills it later unless the cache was flushed. */
static void take_place(const char *query, int *flush)
{
    pthread_mutex_lock(&caches);
    int i = place_of(query);

    cache[i].query = query;
    cache[i].used = 1;
    cache[i].filled = 0;
    *flush = flushes;
    pthread_mutex_unlock(&caches);
}

static void select_from(const char *query, int (*of)(int, int), int a, int b)
{
    int flush = 0;

    heddle_call("%s", query);
    open_table(a);
    if (b != a)
        open_table(b);
    if (bug & FORGETS_PLACE)
        take_place(query, &flush);
    pthread_mutex_lock(&tables);
    int result = of(a, b), since = changes;

    pthread_mutex_unlock(&tables);
    if (!(bug & STALE))
        pthread_mutex_lock(&tables);
    pthread_mutex_lock(&caches);
    if (bug & FORGETS_PLACE ? flush == flushes : bug & STALE || since == changes)
        enter_result(query, a, b, result);
    pthread_mutex_unlock(&caches);
    if (!(bug & STALE))
        pthread_mutex_unlock(&tables);
    heddle_return("%d", result);
}

/* ---- other requests ---------------------------------------------------------------------------------- */

static void end_request(const char *error, const char *result)
{
    pthread_mutex_unlock(&tables);
    if (error != 0)
        heddle_return_error("%s", error);
    else
        heddle_return("%s", result);
}

static const char *problem_of(int t)
{
    return !table[t].defined ? "no such table" : !table[t].has_file ? "data file missing" : 0;
}

static void insert(const char *request, int t, int v)
{
    heddle_call("%s", request);
    open_table(t);
    pthread_mutex_lock(&tables);
    const char *problem = problem_of(t);

    if (problem == 0) {
        store(t, v);
        invalidate(t);
        append_log(request);
    }
    end_request(problem, "1 row");
}

static void insert_select(const char *request, int to, int from)
{
    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    const char *problem = problem_of(to);

    for (int i = 0; problem == 0 && i < table[from].n; i++)
        store(to, table[from].row[i]);
    if (problem == 0) {
        invalidate(to);
        append_log(request);
    }
    end_request(problem, "inserted");
}

static void let_others(int when)
{
    if (bug & when) {
        pthread_mutex_unlock(&tables);
        pthread_mutex_lock(&tables);
    }
}

static void create_like(const char *request, int t)
{
    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    table[t].defined = 1;
    let_others(CREATES_IN_STEPS);
    table[t].has_file = 1;
    append_log(request);
    end_request(0, "created");
}

static void create_select(const char *request, int t, int from)
{
    int rows = 0;
    char text[16];

    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    table[t].defined = table[t].has_file = 1;
    let_others(FILLS_LATER);
    for (int i = 0; table[t].has_file && i < table[from].n; i++, rows++)
        store(t, table[from].row[i]);
    append_log(request);
    snprintf(text, sizeof text, "%d rows", rows);
    end_request(0, text);
}

static void empty(int t)
{
    table[t].n = nindexed[t] = 0;
}

static void truncate_table(const char *request, int t)
{
    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    empty(t);
    invalidate(t);
    pthread_mutex_lock(&caches);
    flushes++;
    pthread_mutex_unlock(&caches);
    append_log(request);
    end_request(0, "done");
}

static void drop(const char *request, int t)
{
    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    const char *problem = problem_of(t);

    if (problem == 0) {
        empty(t);
        table[t].defined = table[t].has_file = 0;
        append_log(request);
    }
    end_request(problem, "dropped");
}

/* Is logged even if it fails, as MySQL does. */
static void optimize(const char *request, int t)
{
    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    const char *problem = problem_of(t);

    let_others(LOGS_LATER);
    append_log(request);
    end_request(problem, "optimized");
}

static void show_status(const char *request)
{
    int listed[TABLES];
    char text[64] = "";

    heddle_call("%s", request);
    pthread_mutex_lock(&tables);
    for (int t = 0; t < TABLES; t++)
        listed[t] = table[t].defined;
    let_others(SHOWS_IN_STEPS);
    for (int t = 0; t < TABLES; t++)
        if (listed[t] && table[t].has_file)
            snprintf(text + strlen(text), sizeof text - strlen(text), "t%d %d, ", t + 1, table[t].n);
        else if (listed[t])
            snprintf(text + strlen(text), sizeof text - strlen(text), "t%d NULL, ", t + 1);
    end_request(0, text);
}

/* ---- the pairs ---------------------------------------------------------------------------------------- */

enum { T1, T2, T3 };

static void create_like_t2(void) { create_like("CREATE t2 LIKE t1", T2); }
static void create_select_t2(void) { create_select("CREATE t2 SELECT t1", T2, T1); }
static void insert_select_t2(void) { insert_select("INSERT t2 SELECT t1", T2, T1); }
static void insert_t1(void) { insert("INSERT t1", T1, 3); }
static void insert_t2(void) { insert("INSERT t2", T2, 3); }
static void insert_t3(void) { insert("INSERT t3", T3, 1); }
static void select_distinct(void) { select_from("SELECT DISTINCT t1 JOIN t3", distinct_join, T1, T3); }
static void select_straight(void) { select_from("SELECT t1 STRAIGHT_JOIN t2", straight_join, T1, T2); }
static void select_t2(void) { select_from("SELECT t2", last_row, T2, T2); }
static void select_a(void) { select_from("SELECT a", last_row, T1, T1); }
static void select_groups(void) { select_from("SELECT SEC_TO_TIME GROUP", groups, T1, T1); }
static void select_length(void) { select_from("SELECT LENGTH", length, T1, T1); }
static void select_count(void) { select_from("SELECT COUNT LIKE", count_like, T1, T1); }
static void truncate_t1(void) { truncate_table("TRUNCATE t1", T1); }
static void drop_t1(void) { drop("DROP t1", T1); }
static void drop_t2(void) { drop("DROP t2", T2); }
static void optimize_t1(void) { optimize("OPTIMIZE t1", T1); }
static void show(void) { show_status("SHOW TABLE STATUS"); }

static const struct {
    void (*one)(void), (*two)(void);
    int bug;
    int defined[TABLES], rows[TABLES]; /* before */
} pairs[PAIRS] = {
    { create_like_t2, insert_select_t2, CREATES_IN_STEPS, { 1, 0, 0 }, { 2, 0, 0 } },
    { insert_t3, select_distinct, STALE, { 1, 0, 1 }, { 2, 0, 0 } },
    { create_like_t2, insert_select_t2, CREATES_IN_STEPS, { 1, 0, 1 }, { 0, 0, 1 } },
    { truncate_t1, select_t2, FORGETS_PLACE, { 1, 1, 0 }, { 2, 2, 0 } },
    { insert_t1, select_a, STALE, { 1, 0, 0 }, { 2, 0, 0 } },
    { insert_t2, select_straight, STALE, { 1, 1, 0 }, { 2, 1, 0 } },
    { drop_t1, show, SHOWS_IN_STEPS, { 1, 1, 0 }, { 2, 0, 0 } },
    { insert_t1, select_groups, STALE, { 1, 0, 0 }, { 2, 0, 0 } },
    { create_select_t2, drop_t2, FILLS_LATER, { 1, 0, 0 }, { 2, 0, 0 } },
    { insert_t1, select_length, STALE, { 1, 0, 0 }, { 2, 0, 0 } },
    { insert_t1, select_count, STALE, { 1, 0, 0 }, { 2, 0, 0 } },
    { optimize_t1, drop_t1, LOGS_LATER, { 1, 0, 0 }, { 2, 0, 0 } },
};

static void tell_tables(void)
{
    heddle_set("definitions");
    for (int t = 0; t < TABLES; t++)
        if (table[t].defined)
            heddle_element("t%d%s", t + 1, table[t].has_file ? "" : " (no file)");
    heddle_map("data");
    for (int t = 0; t < TABLES; t++)
        for (int i = 0; i < table[t].n; i++)
            heddle_element("t%d=%d", t + 1, table[t].row[i]);
    heddle_map("index");
    for (int t = 0; t < TABLES; t++)
        for (int i = 0; i < nindexed[t]; i++)
            heddle_element("t%d=%d", t + 1, indexed[t][i]);
    heddle_sequence("log");
    for (int i = 0; i < nlogged; i++)
        heddle_element("%s", logged[i]);
}

static void tell_caches(void)
{
    heddle_map("query cache");
    heddle_compare(HEDDLE_SUBSET);
    for (int i = 0; i < QUERIES; i++)
        if (cache[i].used && cache[i].filled)
            heddle_element("%s=%d", cache[i].query, cache[i].result);
        else if (cache[i].used)
            heddle_element("%s is not filled", cache[i].query);
    heddle_multiset("table cache");
    heddle_compare(HEDDLE_SUPERSET);
    for (int i = 0; i < nopened; i++)
        heddle_element("t%d", opened[i] + 1);
}

int main(int argc, char **argv)
{
    int pair = argc > 1 ? atoi(argv[1]) - 1 : -1;

    if (pair < 0 || pair >= PAIRS) {
        fprintf(stderr, "usage: %s 1...%d [fixed]\n", argv[0], PAIRS);
        return 1;
    }
    bug = argc > 2 ? 0 : pairs[pair].bug;
    for (int t = 0; t < TABLES; t++) {
        table[t].defined = table[t].has_file = pairs[pair].defined[t];
        for (int i = 0; i < pairs[pair].rows[t]; i++)
            store(t, i + 1);
    }
    void (*one)(void) = pairs[pair].one, (*two)(void) = pairs[pair].two;

    heddle_clients(one, two);
    tell_tables();
    tell_caches();
    return 0;
}
