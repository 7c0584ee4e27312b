/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cluster_test.c - leases, commits and ends of campaigns (src/store), with SQLite and with a real PostgreSQL. */
#include "support/unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "store/sql.h"
#include "store/store.h"

static char directory[256], url[2][512]; /* SQLite, PostgreSQL; "": not installed */

static struct hd_cluster *open_store(int which)
{
    char error[512] = "";
    struct hd_cluster *st = hd_cluster_open(url[which], error, sizeof error);

    if (st == NULL)
        fail_msg("%s", error);
    return st;
}

static struct hd_cluster_campaign begin(struct hd_cluster *st, const char *name, enum hd_cluster_kind kind, int64_t limit)
{
    struct hd_cluster_spec spec = { .name = name, .kind = kind, .spec = "{}", .hash = "abc", .limit = limit };
    struct hd_cluster_campaign c;

    if (!hd_cluster_join(st, &spec, &c))
        fail_msg("%s", hd_cluster_error(st));
    return c;
}

static enum hd_cluster_claim claim_for(struct hd_cluster *st, int64_t campaign, const char *who, double seconds,
                                       struct hd_cluster_lease *l)
{
    return hd_cluster_claim(st, campaign, who, seconds, 100, l);
}

static struct hd_cluster_slice slice_of(const char *who, int64_t executions, enum hd_cluster_row_state state)
{
    return (struct hd_cluster_slice){ .worker = who, .program = "prog", .executions = executions, .state = state };
}

static void expect_totals(struct hd_cluster *st, int64_t id, int64_t executions, int64_t unfinished)
{
    struct hd_cluster_totals t;

    assert_true(hd_cluster_totals(st, id, &t));
    assert_int_equal(t.executions, executions);
    assert_int_equal(t.unfinished, unfinished);
}

static void expect_state(struct hd_cluster *st, const char *name, const char *state, const char *outcome)
{
    struct hd_cluster_campaign c;

    assert_true(hd_cluster_find(st, name, &c));
    assert_string_equal(c.state, state);
    assert_string_equal(c.outcome, outcome);
    hd_cluster_campaign_free(&c);
}

static int backend(void **state)
{
    int which = *(int *)*state;

    if (url[which][0] == '\0')
        skip();
    return which;
}

/* A range is leased once; what a worker leaves over is claimed before another range; the end comes with the last index. */
static void ranges_cover_each_index_once(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "ranges", HD_CLUSTER_INDEX, 250);
    struct hd_cluster_lease a, b, d, e;

    assert_int_equal(claim_for(st, c.id, "a", 60, &a), HD_CLAIM_WORK);
    assert_int_equal(claim_for(st, c.id, "b", 60, &b), HD_CLAIM_WORK);
    assert_int_equal(a.first, 0);
    assert_int_equal(a.end, 100);
    assert_int_equal(b.first, 100);
    struct hd_cluster_slice s = slice_of("a", 40, HD_ROW_QUEUED);

    s.first = 40;
    assert_int_equal(hd_cluster_commit(st, &a, &s), HD_COMMIT_DONE);
    assert_int_equal(claim_for(st, c.id, "d", 60, &d), HD_CLAIM_WORK);
    assert_int_equal(d.first, 40);
    assert_int_equal(d.end, 100);
    assert_int_equal(claim_for(st, c.id, "e", 60, &e), HD_CLAIM_WORK);
    assert_int_equal(e.first, 200);
    assert_int_equal(e.end, 250);
    s = slice_of("e", 50, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &e, &s), HD_COMMIT_DONE);
    s = slice_of("b", 100, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &b, &s), HD_COMMIT_DONE);
    assert_int_equal(claim_for(st, c.id, "b", 60, &b), HD_CLAIM_WAIT);
    expect_state(st, "ranges", "open", "");
    s = slice_of("d", 60, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &d, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 250, 0);
    expect_state(st, "ranges", "done", "complete");
    assert_int_equal(claim_for(st, c.id, "b", 60, &b), HD_CLAIM_OVER);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* The worker that wakes after its lease commits nothing, and a commit that is repeated counts once. */
static void fences_keep_late_workers_out(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "fences", HD_CLUSTER_LIST, 0);
    struct hd_cluster_lease late, now, next;
    struct hd_cluster_beat beat;

    assert_int_equal(claim_for(st, c.id, "late", -1, &late), HD_CLAIM_WORK);
    assert_int_equal(claim_for(st, c.id, "now", 60, &now), HD_CLAIM_WORK);
    assert_int_equal(now.row, late.row);
    assert_int_equal(now.fence, late.fence + 1);
    assert_true(hd_cluster_heartbeat(st, "late", &late, 60, NULL, &beat));
    assert_false(beat.mine);
    struct hd_cluster_slice s = slice_of("late", 7, HD_ROW_DONE);

    assert_int_equal(hd_cluster_commit(st, &late, &s), HD_COMMIT_LOST);
    expect_totals(st, c.id, 0, 1);
    s = slice_of("now", 5, HD_ROW_QUEUED);
    s.cursor = (struct hd_bytes){ "rest", 4 };
    assert_int_equal(hd_cluster_commit(st, &now, &s), HD_COMMIT_DONE);
    assert_int_equal(hd_cluster_commit(st, &now, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 5, 1);
    assert_int_equal(claim_for(st, c.id, "now", 60, &next), HD_CLAIM_WORK);
    assert_int_equal(next.cursor.size, 4);
    assert_memory_equal(next.cursor.data, "rest", 4);
    assert_true(hd_cluster_release(st, "now", &next));
    hd_cluster_lease_free(&next);
    assert_int_equal(claim_for(st, c.id, "b", 60, &next), HD_CLAIM_WORK);
    s = slice_of("b", 1, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &next, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 6, 0);
    hd_cluster_lease_free(&next);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static struct hd_bytes bytes(const char *text)
{
    return (struct hd_bytes){ (void *)(uintptr_t)text, strlen(text) };
}

/* The root is divided; a branch above the root of a lease is inserted once, behind its siblings, and the end waits for it.
 * A row whose left sibling's step is unknown waits. */
static void trees_grow_above_leases(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "trees", HD_CLUSTER_TREE, 0);
    struct hd_cluster_lease l, m, n;
    struct hd_cluster_row split[] = {
        { .order = 0, .known = true, .state = HD_ROW_QUEUED, .label = bytes("p"), .step = bytes("P"), .cursor = bytes("...") },
        { .order = 1, .known = false, .state = HD_ROW_QUEUED, .label = bytes("q") },
    };

    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_int_equal(l.nnodes, 1);
    split[0].parent = split[1].parent = l.row;
    struct hd_cluster_slice s = slice_of("a", 10, HD_ROW_INNER);

    s.rows = split;
    s.nrows = 2;
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    int64_t root = l.row;

    hd_cluster_lease_free(&l);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK); /* p */
    assert_int_equal(claim_for(st, c.id, "b", 60, &m), HD_CLAIM_WORK); /* q: p is known */
    assert_int_equal(m.nnodes, 3);
    assert_int_equal(m.nodes[0].id, root);
    assert_memory_equal(m.nodes[1].label.data, "p", 1);
    assert_true(m.nodes[2].on_path);
    struct hd_cluster_row above[] = {
        { .parent = root, .append = true, .state = HD_ROW_QUEUED, .label = bytes("r") },
        { .parent = root, .append = true, .state = HD_ROW_QUEUED, .label = bytes("q") },
    };

    s = slice_of("a", 20, HD_ROW_DONE);
    s.rows = above;
    s.nrows = 2;
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 30, 2);
    hd_cluster_lease_free(&l);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WAIT); /* r waits for q's step */
    struct hd_cluster_beat beat;

    assert_true(hd_cluster_heartbeat(st, "b", &m, 60, &(struct hd_bytes){ "Q", 1 }, &beat));
    assert_true(beat.mine && beat.go_on);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_memory_equal(l.nodes[2].step.data, "Q", 1);
    s = slice_of("b", 1, HD_ROW_DONE);
    s.rows = above; /* r again */
    s.nrows = 1;
    assert_int_equal(hd_cluster_commit(st, &m, &s), HD_COMMIT_DONE);
    assert_true(hd_cluster_heartbeat(st, "a", &l, 60, &(struct hd_bytes){ "R", 1 }, &beat));
    assert_int_equal(claim_for(st, c.id, "b", 60, &n), HD_CLAIM_WAIT);
    s = slice_of("a", 2, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 33, 0);
    expect_state(st, "trees", "done", "complete");
    hd_cluster_lease_free(&l);
    hd_cluster_lease_free(&m);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static void count_finding(void *ctx, const struct hd_cluster_finding *f)
{
    int *n = ctx;

    assert_string_equal(f->kind, "deadlock");
    assert_int_equal(f->schedule.size, 3);
    assert_int_equal(f->index, 70); /* the smaller index of two executions with this finding */
    ++*n;
}

/* Findings of all workers are one list; one that stops a sampling search leaves the smaller indices to be done. */
static void findings_are_kept_once(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "findings", HD_CLUSTER_INDEX, 0);
    struct hd_cluster_lease a, b, d;
    struct hd_cluster_finding f = { .signature = "s1", .kind = "deadlock", .message = "m", .index = 150, .schedule = bytes("sch") };
    int n = 0;

    assert_int_equal(claim_for(st, c.id, "a", 60, &a), HD_CLAIM_WORK);
    assert_int_equal(claim_for(st, c.id, "b", 60, &b), HD_CLAIM_WORK);
    struct hd_cluster_slice s = slice_of("b", 51, HD_ROW_DONE);

    s.findings = &f;
    s.nfindings = 1;
    s.stops = true;
    assert_int_equal(hd_cluster_commit(st, &b, &s), HD_COMMIT_DONE);
    expect_state(st, "findings", "open", "");
    assert_int_equal(claim_for(st, c.id, "d", 60, &d), HD_CLAIM_WAIT);
    f.index = 70;
    s = slice_of("a", 71, HD_ROW_DONE);
    s.findings = &f;
    s.nfindings = 1;
    s.stops = true;
    assert_int_equal(hd_cluster_commit(st, &a, &s), HD_COMMIT_DONE);
    expect_state(st, "findings", "done", "complete");
    assert_true(hd_cluster_each_finding(st, c.id, count_finding, &n));
    assert_int_equal(n, 1);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static void note_regression(void *ctx, const char *program, const struct hd_cluster_finding *f)
{
    size_t used = strlen(ctx);

    snprintf((char *)ctx + used, 100 - used, "%s %s %s %.*s;", program, f->signature, f->message, (int)f->schedule.size,
             (const char *)f->schedule.data);
}

static void expect_regressions(struct hd_cluster *st, const char *program, const char *text)
{
    char found[100] = "";

    assert_true(hd_cluster_each_regression(st, program, note_regression, found));
    assert_string_equal(found, text);
}

static void commit_finding(struct hd_cluster *st, const char *campaign, const char *program, const struct hd_cluster_finding *f)
{
    struct hd_cluster_campaign c = begin(st, campaign, HD_CLUSTER_LIST, 0);
    struct hd_cluster_lease l;
    struct hd_cluster_slice s = slice_of("a", 1, HD_ROW_DONE);

    s.program = program;
    s.findings = f;
    s.nfindings = 1;
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    assert_true(hd_cluster_delete(st, c.id));
    hd_cluster_campaign_free(&c);
}

/* The corpus keeps the newest schedule of each finding of each program when the campaigns are gone. */
static void the_corpus_outlives_campaigns(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_finding f = { .signature = "r1", .kind = "deadlock", .message = "m", .schedule = bytes("one") };
    bool there;

    assert_true(hd_cluster_forget(st, "s1", &there)); /* of another test */
    commit_finding(st, "nightly 1", "bank", &f);
    f.schedule = bytes("two");
    commit_finding(st, "nightly 2", "bank", &f);
    commit_finding(st, "queue", "queue", &f);
    f.schedule.data = NULL; /* the store has the finding already, so the worker does not send its schedule again */
    commit_finding(st, "nightly 3", "bank", &f);
    expect_regressions(st, "bank", "bank r1 m two;");
    expect_regressions(st, NULL, "bank r1 m two;queue r1 m two;");
    assert_true(hd_cluster_forget(st, "r1", &there) && there);
    assert_true(hd_cluster_forget(st, "r1", &there) && !there);
    expect_regressions(st, NULL, "");
    hd_cluster_close(st);
}

/* Passes: with a larger bound, and again because the places have changed, which makes the results so far void. */
static void passes_follow_each_other(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "passes", HD_CLUSTER_LIST, 0);
    struct hd_cluster_lease l, old;
    struct hd_cluster_slice s = slice_of("a", 3, HD_ROW_DONE);

    s.flags = 4;
    s.deepens = 4;
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    assert_true(hd_cluster_refresh(st, &c));
    assert_int_equal(c.bound, 1);
    assert_int_equal(c.flags, 0);
    expect_totals(st, c.id, 3, 1);
    assert_int_equal(claim_for(st, c.id, "a", 60, &old), HD_CLAIM_WORK);
    assert_true(hd_cluster_restart(st, &old, &(struct hd_bytes){ "places", 6 }));
    assert_true(hd_cluster_restart(st, &old, &(struct hd_bytes){ "others", 6 }));
    assert_int_equal(hd_cluster_commit(st, &old, &s), HD_COMMIT_LOST);
    assert_true(hd_cluster_refresh(st, &c));
    assert_int_equal(c.bound, 0);
    expect_totals(st, c.id, 0, 1);
    hd_cluster_lease_free(&l);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_memory_equal(l.places.data, "places", 6);
    hd_cluster_lease_free(&l);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* A slice that has learnt something commits only if no other has learnt something meanwhile. */
static void knowledge_has_one_author(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "knowledge", HD_CLUSTER_LIST, 0);
    struct hd_cluster_lease a, b, d;
    struct hd_cluster_row rows[] = { { .parent = HD_NO_PARENT, .known = true, .cursor = bytes("x") },
                                     { .parent = HD_NO_PARENT, .known = true, .cursor = bytes("y") } };
    struct hd_cluster_slice s = slice_of("a", 1, HD_ROW_QUEUED);

    s.rows = rows;
    s.nrows = 2;
    assert_int_equal(claim_for(st, c.id, "a", 60, &a), HD_CLAIM_WORK);
    assert_int_equal(hd_cluster_commit(st, &a, &s), HD_COMMIT_DONE);
    hd_cluster_lease_free(&a);
    assert_int_equal(claim_for(st, c.id, "a", 60, &a), HD_CLAIM_WORK);
    assert_int_equal(claim_for(st, c.id, "b", 60, &b), HD_CLAIM_WORK);
    assert_int_equal(claim_for(st, c.id, "d", 60, &d), HD_CLAIM_WORK);
    s = slice_of("a", 1, HD_ROW_DONE);
    s.places = bytes("new");
    assert_int_equal(hd_cluster_commit(st, &a, &s), HD_COMMIT_DONE);
    s = slice_of("b", 1, HD_ROW_DONE);
    s.places = bytes("other");
    assert_int_equal(hd_cluster_commit(st, &b, &s), HD_COMMIT_LOST);
    s = slice_of("d", 1, HD_ROW_DONE);
    assert_int_equal(hd_cluster_commit(st, &d, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 3, 1);
    hd_cluster_lease_free(&a);
    hd_cluster_lease_free(&b);
    hd_cluster_lease_free(&d);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static void campaigns_stop_and_go_on(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "stop", HD_CLUSTER_LIST, 0), other;
    struct hd_cluster_spec spec = { .name = "stop", .kind = HD_CLUSTER_LIST, .spec = "{}", .hash = "other" };
    struct hd_cluster_lease l;

    assert_false(hd_cluster_join(st, &spec, &other));
    assert_non_null(strstr(hd_cluster_error(st), "another program"));
    assert_true(hd_cluster_stop(st, c.id));
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_STOPPED);
    assert_true(hd_cluster_resume(st, c.id, 1e-6));
    usleep(2000);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_OVER);
    expect_state(st, "stop", "done", "budget");
    assert_true(hd_cluster_resume(st, c.id, 0));
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_true(hd_cluster_delete(st, c.id));
    assert_false(hd_cluster_find(st, "stop", &other));
    assert_string_equal(hd_cluster_error(st), "");
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* A slice that continues its row can commit while another transaction holds the campaign's lock; if the pass has
 * become void, so is the slice. */
static void slices_that_go_on_wait_for_nobody(void **state)
{
    int which = backend(state);
    struct hd_cluster *st = open_store(which);
    struct hd_cluster_campaign c = begin(st, "alone", HD_CLUSTER_LIST, 0);
    struct hd_cluster_slice s = slice_of("a", 3, HD_ROW_QUEUED);
    struct hd_cluster_lease l;
    char error[512];

    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    struct hd_sql *q = hd_sql_open(url[which], error, sizeof error);

    assert_non_null(q);
    if (which == 1) { /* SQLite has one lock for the whole database */
        assert_true(hd_sql_begin(q));
        assert_true(hd_sql_run(q, NULL, "SELECT 1 FROM campaign WHERE id = $1 FOR UPDATE", "i", c.id));
    }
    s.flags = s.old_flags = 2;
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    hd_sql_close(q);
    expect_totals(st, c.id, 3, 1);
    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    assert_true(hd_cluster_restart(st, &l, &(struct hd_bytes){ "places", 6 }));
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 0, 1);
    assert_true(hd_cluster_refresh(st, &c));
    assert_int_equal(c.flags, 0);
    hd_cluster_lease_free(&l);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* The dashboard may use a role that can only read. */
static void readers_change_nothing(void **state)
{
    int which = backend(state);
    struct hd_cluster *st = open_store(which), *reader;
    struct hd_cluster_campaign c = begin(st, "read", HD_CLUSTER_LIST, 0);
    char address[600], error[512] = "";

    snprintf(address, sizeof address, "%s%s", url[which], which == 1 ? "&options=-cdefault_transaction_read_only%3Don" : "");
    reader = hd_cluster_open(address, error, sizeof error);
    assert_string_equal(error, "");
    expect_totals(reader, c.id, 0, 1);
    hd_cluster_close(reader);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* Many processes at once: every index is committed exactly once. */
static void processes_share_a_campaign(void **state)
{
    enum { PROCESSES = 6, LIMIT = 3000 };
    int which = backend(state);
    struct hd_cluster *st = open_store(which);
    struct hd_cluster_campaign c = begin(st, "many", HD_CLUSTER_INDEX, LIMIT);

    for (int p = 0; p < PROCESSES; p++) {
        if (fork() != 0)
            continue;
        struct hd_cluster *own = open_store(which);
        struct hd_cluster_lease l;
        char who[16];
        enum hd_cluster_claim got;

        snprintf(who, sizeof who, "w%d", p);
        while ((got = claim_for(own, c.id, who, 60, &l)) == HD_CLAIM_WORK || got == HD_CLAIM_WAIT) {
            if (got == HD_CLAIM_WAIT) {
                usleep(1000);
                continue;
            }
            bool part = l.fence % 2 == 1 && l.end - l.first > 10;
            struct hd_cluster_slice s = slice_of(who, part ? 10 : l.end - l.first, part ? HD_ROW_QUEUED : HD_ROW_DONE);

            s.first = l.first + 10;
            if (hd_cluster_commit(own, &l, &s) != HD_COMMIT_DONE)
                _exit(1);
        }
        _exit(got == HD_CLAIM_OVER ? 0 : 1);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status;

        wait(&status);
        assert_int_equal(status, 0);
    }
    expect_totals(st, c.id, LIMIT, 0);
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

/* An empty database, as far as tables are concerned. */
static void make_schema(int i)
{
    char error[512], sql[64];
    struct hd_sql *q = hd_sql_open(url[1], error, sizeof error);

    snprintf(sql, sizeof sql, "CREATE SCHEMA new%d", i);
    assert_non_null(q);
    assert_true(hd_sql_run(q, NULL, sql, ""));
    hd_sql_close(q);
}

/* Processes that open a new store at the same time make one. */
static void a_store_is_made_once(void **state)
{
    enum { PROCESSES = 8, TIMES = 10 };
    int which = backend(state);
    char file[600], error[512];

    for (int i = 0; i < TIMES; i++) {
        if (which == 0)
            snprintf(file, sizeof file, "sqlite:%s/new%d", directory, i);
        else
            snprintf(file, sizeof file, "%s&options=-csearch_path%%3Dnew%d", url[1], i);
        if (which == 1)
            make_schema(i);
        for (int p = 0; p < PROCESSES; p++)
            if (fork() == 0) {
                struct hd_cluster *st = hd_cluster_open(file, error, sizeof error);

                if (st == NULL)
                    fprintf(stderr, "%s\n", error);
                _exit(st == NULL);
            }
        for (int p = 0; p < PROCESSES; p++) {
            int status;

            wait(&status);
            assert_int_equal(status, 0);
        }
    }
}

static int64_t number(struct hd_sql *q, const char *sql)
{
    struct hd_sql_rows r;

    assert_true(hd_sql_run(q, &r, sql, ""));
    int64_t n = r.n > 0 ? hd_sql_int(&r, 0, 0) : -1;

    hd_sql_free(&r);
    return n;
}

/* A store of the version before this one: processes that open it at the same time bring it up to date once, and its
 * campaigns stay. */
static void an_older_store_is_brought_up_to_date(void **state)
{
    enum { PROCESSES = 8 };
    int which = backend(state);
    struct hd_cluster *st = open_store(which);
    struct hd_cluster_campaign c = begin(st, "old", HD_CLUSTER_LIST, 0);
    char error[512];

    hd_cluster_close(st);
    struct hd_sql *q = hd_sql_open(url[which], error, sizeof error);
    int64_t newest = number(q, "SELECT version FROM heddle_schema");

    assert_true(hd_sql_run(q, NULL, "DROP TABLE state", ""));
    assert_true(hd_sql_run(q, NULL, "UPDATE heddle_schema SET version = 5", ""));
    for (int p = 0; p < PROCESSES; p++)
        if (fork() == 0)
            _exit(hd_cluster_open(url[which], error, sizeof error) == NULL);
    for (int p = 0; p < PROCESSES; p++) {
        int status;

        wait(&status);
        assert_int_equal(status, 0);
    }
    assert_int_equal(number(q, "SELECT version FROM heddle_schema"), newest);
    assert_int_equal(number(q, "SELECT count(*) FROM state"), 0);
    hd_sql_close(q);
    st = open_store(which);
    expect_state(st, "old", "open", "");
    assert_true(hd_cluster_delete(st, c.id));
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static void shell(const char *command)
{
    char line[512];

    snprintf(line, sizeof line, "tests/support/postgresql %s %s/pg", command, directory);
    assert_int_equal(system(line), 0);
}

/* A server that was killed and is back: the transaction is done again, once. */
static void commits_survive_the_server(void **state)
{
    struct hd_cluster *st = open_store(backend(state));
    struct hd_cluster_campaign c = begin(st, "server", HD_CLUSTER_LIST, 0);
    struct hd_cluster_lease l;

    assert_int_equal(claim_for(st, c.id, "a", 60, &l), HD_CLAIM_WORK);
    shell("kill");
    shell("again");
    struct hd_cluster_slice s = slice_of("a", 9, HD_ROW_DONE);

    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_DONE);
    expect_totals(st, c.id, 9, 0);
    shell("kill");
    hd_cluster_set_patience(st, 0.1, NULL);
    assert_int_equal(hd_cluster_commit(st, &l, &s), HD_COMMIT_FAILED);
    assert_true(hd_cluster_error(st)[0] != '\0');
    shell("again");
    hd_cluster_campaign_free(&c);
    hd_cluster_close(st);
}

static void addresses_are_checked(void **state)
{
    char error[512] = "";

    (void)state;
    assert_null(hd_cluster_open("mysql://x", error, sizeof error));
    assert_non_null(strstr(error, "postgresql://"));
    assert_null(hd_cluster_open("sqlite:/no/such/directory/x", error, sizeof error));
    struct hd_sql *q = hd_sql_open(url[0], error, sizeof error);

    assert_true(hd_sql_run(q, NULL, "UPDATE heddle_schema SET version = version + 99", ""));
    assert_null(hd_cluster_open(url[0], error, sizeof error));
    assert_non_null(strstr(error, "newer Heddle"));
    assert_true(hd_sql_run(q, NULL, "UPDATE heddle_schema SET version = version - 99", ""));
    hd_sql_close(q);
}

static int make_stores(void **state)
{
    char command[1024];
    const char *tmp = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%.200s/clusterXXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(url[0], sizeof url[0], "sqlite:%s/store", directory);
    snprintf(command, sizeof command, "chmod 755 %s && tests/support/postgresql start %s/pg", directory, directory);
    FILE *f = popen(command, "r");
    bool there = f != NULL && fgets(url[1], sizeof url[1], f) != NULL;

    if (f == NULL || pclose(f) != 0 || !there)
        url[1][0] = '\0';
    url[1][strcspn(url[1], "\n")] = '\0';
    return 0;
}

static int remove_stores(void **state)
{
    char command[1024];

    (void)state;
    snprintf(command, sizeof command, "[ ! -d %s/pg ] || tests/support/postgresql stop %s/pg; rm -rf %s", directory, directory,
             directory);
    return system(command) != 0;
}

int main(void)
{
    static int which[2] = { 0, 1 };
#define BOTH(f) { #f " sqlite", f, NULL, NULL, &which[0] }, { #f " postgresql", f, NULL, NULL, &which[1] }
    const struct CMUnitTest tests[] = {
        BOTH(ranges_cover_each_index_once), BOTH(fences_keep_late_workers_out), BOTH(trees_grow_above_leases),
        BOTH(findings_are_kept_once), BOTH(the_corpus_outlives_campaigns), BOTH(passes_follow_each_other), BOTH(knowledge_has_one_author), BOTH(campaigns_stop_and_go_on),
        BOTH(slices_that_go_on_wait_for_nobody), BOTH(readers_change_nothing), BOTH(processes_share_a_campaign), BOTH(a_store_is_made_once),
        BOTH(an_older_store_is_brought_up_to_date),
        { "commits_survive_the_server", commits_survive_the_server, NULL, NULL, &which[1] },
        cmocka_unit_test(addresses_are_checked),
    };

    return cmocka_run_group_tests(tests, make_stores, remove_stores);
}
