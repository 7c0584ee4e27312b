/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serve_test.c - the dashboard without its web server: access control, addresses to listen on, and pages of a store
 * with hostile contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/memory.h"
#include "serve/address.h"
#include "serve/answer.h"
#include "serve/guard.h"
#include "serve/serve.h"
#include "serve/state.h"
#include "serve/text.h"
#include "store/sql.h"

/* ---- texts ---------------------------------------------------------------------------------- */

static char *written(void (*put)(FILE *out, const char *text), const char *text)
{
    char *buf;
    size_t size;
    FILE *f = hd_memory_stream(&buf, &size);

    put(f, text);
    fclose(f);
    return buf;
}

static void texts_are_no_markup(void **state)
{
    static const struct { const char *text, *html; } rows[] = {
        { "plain \xc3\xa4", "plain \xc3\xa4" },
        { "<img src=x onerror=\"a('b')\">&", "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;" },
        { "\x1b[2J", "\xe2\x9f\xa8" "1b\xe2\x9f\xa9[2J" },                         /* would clear a terminal */
        { "a\xe2\x80\xae" "b", "a\xe2\x9f\xa8" "202e\xe2\x9f\xa9" "b" },           /* would reverse the direction of
                                                                                    * text */
        { "\xef\xbb\xbf", "\xe2\x9f\xa8" "feff\xe2\x9f\xa9" },
        { "\xff\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },                /* no UTF-8 */
        { "two\nlines\t", "two\nlines\t" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *html = written(hd_put_text, rows[i].text);

        assert_string_equal(html, rows[i].html);
        free(html);
    }
}

static void addresses_come_back(void **state)
{
    static const char *const names[] = { "queue", "a/b", "..", "100%", "x?y#z", "<b>\"'", "\xc3\xa4 \x01", "%2F" };
    char back[64];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = written(hd_put_address, names[i]);

        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%"), strlen(text));
        assert_true(hd_decode_address(text, strlen(text), back, sizeof back));
        assert_string_equal(back, names[i]);
        free(text);
    }
    assert_false(hd_decode_address("a%00b", 5, back, sizeof back));
    assert_false(hd_decode_address("%", 1, back, sizeof back));
    assert_false(hd_decode_address("%2", 2, back, sizeof back));
    assert_false(hd_decode_address("%zz", 3, back, sizeof back));
    assert_false(hd_decode_address("%ff", 3, back, sizeof back));
    assert_false(hd_decode_address("\xc3", 1, back, sizeof back));
    assert_false(hd_decode_address("too long", 8, back, 8));
}

static void put_duration(FILE *out, const char *seconds)
{
    hd_put_duration(out, strtod(seconds, NULL));
}

static void put_count(FILE *out, const char *n)
{
    hd_put_count(out, strtoll(n, NULL, 10));
}

static void numbers_are_readable(void **state)
{
    static const struct { void (*put)(FILE *out, const char *text); const char *from, *to; } rows[] = {
        { put_count, "0", "0" }, { put_count, "999", "999" }, { put_count, "1000", "1,000" }, { put_count, "-1234567", "-1,234,567" },
        { put_duration, "0.04", "40 ms" }, { put_duration, "12", "12 s" }, { put_duration, "300", "5 min" },
        { put_duration, "12000", "3 h 20 min" }, { put_duration, "345600", "4 days" }, { put_duration, "nan", "?" },
        { put_duration, "inf", "?" }, { put_duration, "-1", "?" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = written(rows[i].put, rows[i].from);

        assert_string_equal(text, rows[i].to);
        free(text);
    }
}

/* ---- access control and addresses ------------------------------------------------------------ */

static void only_names_that_cannot_be_rebound(void **state)
{
    const struct hd_guard open = { .asks = false }, proxied = { .proxy = "heddle.example.org" }, guarded = { .asks = true };
    static const char *const good[] = { "127.0.0.1", "127.0.0.1:8421", "localhost:1", "LocalHost", "[::1]:8421", "[::1]", "10.0.0.7:80" };
    static const char *const bad[] = { "evil.example", "evil.example:8421", "127.0.0.1.evil.example", "localhost.evil.example", "", ":80",
                                       "[::1", "[]", "127.0.0.1:80x", "0x7f.1", "localhost@evil.example", "[::1]x" };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(hd_guard_host(&open, good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(hd_guard_host(&open, bad[i]));
        assert_false(hd_guard_host(&proxied, bad[i]));
    }
    assert_false(hd_guard_host(&open, NULL));
    assert_false(hd_guard_host(&open, "heddle.example.org"));
    assert_true(hd_guard_host(&proxied, "heddle.example.org"));
    assert_true(hd_guard_host(&proxied, "Heddle.Example.Org:443"));
    assert_true(hd_guard_host(&guarded, "any.name"));
    assert_false(hd_guard_host(&guarded, NULL));
}

static void make_file(char *path, const char *content)
{
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, strlen(content)), (ssize_t)strlen(content));
    close(fd);
}

static void tokens_are_compared(void **state)
{
    char path[] = "/tmp/heddle-token-XXXXXX", error[512];
    struct hd_guard g = { .asks = false };

    (void)state;
    make_file(path, "correct-horse-battery\n");
    assert_true(hd_guard_token(&g, NULL)); /* nobody asks */
    assert_true(hd_guard_read_token(&g, path, error, sizeof error));
    assert_null(strstr(g.token, "horse"));
    assert_true(hd_guard_token(&g, "Bearer correct-horse-battery"));
    assert_true(hd_guard_token(&g, "bearer  correct-horse-battery"));
    assert_true(hd_guard_token(&g, "Basic dXNlcjpjb3JyZWN0LWhvcnNlLWJhdHRlcnk=")); /* user:correct-horse-battery */
    assert_true(hd_guard_token(&g, "Basic OmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ=="));     /* :correct-horse-battery */
    static const char *const wrong[] = { "", "Bearer", "Bearer ", "Bearer correct-horse-batter", "Bearer correct-horse-battery2",
                                         "correct-horse-battery", "Basic", "Basic dXNlcg==", "Basic !!!!", "Digest x",
                                         "Basic Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5" /* without a colon */ };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(hd_guard_token(&g, wrong[i]));
    assert_false(hd_guard_token(&g, NULL));
    char *many = hd_zeroed(8001, 1); /* longer than any buffer */

    memcpy(many, "Basic ", 6);
    memset(many + 6, 'A', 7994);
    assert_false(hd_guard_token(&g, many));
    free(many);
    unlink(path);
}

static void tokens_that_are_none_are_refused(void **state)
{
    static const char *const contents[] = { "", "\n\n", "short", "sixteen letters and blanks", "two-lines-of-text\nare-no-token-at-all\n" };
    char error[512];

    (void)state;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        char path[] = "/tmp/heddle-token-XXXXXX";
        struct hd_guard g = { .asks = false };

        make_file(path, contents[i]);
        assert_false(hd_guard_read_token(&g, path, error, sizeof error));
        assert_non_null(strstr(error, "openssl rand"));
        unlink(path);
    }
}

static void addresses_are_digits_with_a_port(void **state)
{
    static const struct { const char *text; bool good, local; } rows[] = {
        { "127.0.0.1:8421", true, true }, { "127.9.9.9:0", true, true }, { "[::1]:65535", true, true }, { "0.0.0.0:80", true, false },
        { "[::]:80", true, false }, { "10.1.2.3:80", true, false }, { "[2001:db8::1]:80", true, false },
        { "127.0.0.1", false, false }, { "127.0.0.1:", false, false }, { "127.0.0.1:65536", false, false }, { "localhost:80", false, false },
        { "::1:80", false, false }, { "[::1]", false, false }, { ":80", false, false }, { "127.0.0.1:8 0", false, false },
        { "", false, false }, { "[127.0.0.1]:80", false, false }, { "127.0.0.1:-1", false, false },
    };
    struct hd_address a;
    char text[80];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(hd_address_read(rows[i].text, &a), rows[i].good);
        if (!rows[i].good)
            continue;
        assert_int_equal(hd_address_is_local(&a), rows[i].local);
        hd_address_text(&a, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

static void passwords_are_not_shown(void **state)
{
    static const struct { const char *url, *name; } rows[] = {
        { "postgresql://me:secret@db:5432/heddle?sslmode=require&password=secret", "postgresql://db:5432/heddle" },
        { "postgresql://me:se@cret@db/heddle", "postgresql://db/heddle" },
        { "postgresql://db/heddle", "postgresql://db/heddle" },
        { "postgresql:///heddle?user=a@b", "postgresql:///heddle" },
        { "sqlite:/tmp/a?b@c", "sqlite:/tmp/a?b@c" },
    };
    char name[200];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hd_serve_store_name(rows[i].url, name, sizeof name);
        assert_string_equal(name, rows[i].name);
    }
}

/* ---- states -------------------------------------------------------------------------------------- */

static void states_have_words(void **state)
{
    static char open[] = "open", done[] = "done", stopped[] = "stopped", none[] = "", complete[] = "complete", budget[] = "budget",
                refused[] = "refused: because", clean[] = "clean";
    struct hd_view_campaign c = { .state = open, .outcome = none, .alive = 2, .kind = HD_CLUSTER_INDEX, .limit = 1000, .executions = 250,
                                  .now = 1100, .created = 1000, .first = 1000, .last = 1100, .deadline = -1 };
    struct hd_state s;

    (void)state;
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "running");
    assert_true(s.done == 0.25 && s.rate == 2.5 && s.left == 300 && s.budget < 0);
    c.deadline = 1200; /* the deadline comes before all executions are done */
    hd_state_of(&c, &s);
    assert_true(s.budget == 0.5 && s.left == 100);
    c.alive = 0;
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "waiting for workers");
    c.kind = HD_CLUSTER_TREE; /* the size of a tree is unknown */
    c.deadline = -1;
    hd_state_of(&c, &s);
    assert_true(s.done < 0 && s.left < 0);
    c.state = done;
    c.outcome = complete;
    hd_state_of(&c, &s);
    assert_true(s.done == 1 && s.left < 0);
    assert_string_equal(s.word, "complete");
    assert_string_equal(s.mark, ""); /* no worker has given a verdict */
    c.kind = HD_CLUSTER_INDEX; /* a sample whose executions were all made is not complete */
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "done");
    c.kind = HD_CLUSTER_TREE;
    c.verdict = clean;
    hd_state_of(&c, &s);
    assert_string_equal(s.mark, "good");
    c.verdict = NULL;
    c.findings = 1;
    hd_state_of(&c, &s);
    assert_string_equal(s.mark, "bad");
    c.outcome = budget;
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "budget used up");
    c.outcome = refused;
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "refused");
    c.state = stopped;
    hd_state_of(&c, &s);
    assert_string_equal(s.word, "stopped");
}

/* Impossible times and numbers must do no harm. */
static void states_survive_nonsense(void **state)
{
    static char odd[] = "\x1b<b>";
    const double times[] = { 0, -1, 1e300, -1e300, __builtin_inf(), __builtin_nan("") };
    struct hd_state s;

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            struct hd_view_campaign c = { .state = odd, .outcome = odd, .verdict = odd, .kind = -7, .limit = INT64_MAX, .executions = INT64_MIN,
                                          .now = times[i], .created = times[k], .first = times[i], .last = times[k], .deadline = times[i] };

            hd_state_of(&c, &s);
            assert_string_equal(s.word, "stopped");
        }
}

/* ---- pages ----------------------------------------------------------------------------------------- */

#define HOSTILE "<script>alert('x')</script>\"&\x1b[2J"
#define HARMLESS "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;\xe2\x9f\xa8" "1b\xe2\x9f\xa9[2J"

struct store {
    char path[64], url[80];
    struct hd_site site;
};

static void run(struct hd_sql *q, const char *sql)
{
    if (!hd_sql_run(q, NULL, sql, "t", HOSTILE))
        fail_msg("%s: %s", sql, hd_sql_error(q));
}

/* A campaign all texts of which are hostile. */
static void fill(const char *url)
{
    char error[512];
    struct hd_sql *q = hd_sql_open(url, error, sizeof error);

    assert_non_null(q);
    run(q, "INSERT INTO campaign (name, state, outcome, kind, pass, valid_from, bound, flags, next_index, index_limit, spec, hash, created) "
           "VALUES ($1, $1, $1, 9, 1, 1, 0, 0, 0, 0, 'verb' || char(9) || $1 || char(10) || $1 || char(9) || $1, $1, 1e9)");
    run(q, "INSERT INTO work (campaign, pass, ord, depth, known, state, holder, fence, expires) VALUES (1, 1, 0, 0, 1, 0, $1, 1, 5)");
    run(q, "INSERT INTO result (work, fence, campaign, pass, worker, at, seconds, executions, redundant, buggy) "
           "VALUES (1, 1, 1, 1, $1, 1e9 + 10, 2, 5, 0, 1)");
    run(q, "INSERT INTO finding (campaign, signature, kind, message, found_index, worker, at, schedule, report) "
           "VALUES (1, $1, $1, $1, 0, $1, 1e9 + 9, $1, CAST($1 AS BLOB) || x'00' || CAST($1 AS BLOB))");
    run(q, "INSERT INTO finding (campaign, signature, kind, message, found_index, worker, at, report) VALUES (1, 'plain', $1, $1, 0, $1, 9, $1)");
    run(q, "INSERT INTO worker (id, campaign, idle, seen) VALUES ($1, 1, 0, 5)");
    run(q, "INSERT INTO program (campaign, name, build_id, features, command) VALUES (1, $1, $1, $1, $1)");
    run(q, "INSERT INTO verdict (campaign, pass, executions, at, verdict, sentence) VALUES (1, 1, 5, 1e9, $1, $1)");
    hd_sql_close(q);
}

static int open_store(void **state)
{
    static struct store s;
    char error[512];

    strcpy(s.path, "/tmp/heddle-serve-XXXXXX");
    close(mkstemp(s.path));
    snprintf(s.url, sizeof s.url, "sqlite:%s", s.path);
    struct hd_cluster *st = hd_cluster_open(s.url, error, sizeof error);

    if (st == NULL)
        return -1;
    hd_cluster_close(st);
    s.site = (struct hd_site){ hd_view_open(s.url, error, sizeof error), s.url };
    *state = &s;
    return s.site.view != NULL ? 0 : -1;
}

static int close_store(void **state)
{
    struct store *s = *state;
    char log[80];

    hd_view_close(s->site.view);
    unlink(s->path);
    snprintf(log, sizeof log, "%s-wal", s->path);
    unlink(log);
    snprintf(log, sizeof log, "%s-shm", s->path);
    unlink(log);
    return 0;
}

static char *page(struct store *s, const char *path, unsigned status)
{
    struct hd_answer a;

    hd_answer(&s->site, path, &a);
    if (a.status != status)
        fail_msg("%s: status %u instead of %u: %s", path, a.status, status, a.body);
    assert_int_equal(strlen(a.body), a.size);
    char *body = hd_copied(a.body);

    hd_answer_free(&a);
    return body;
}

static void expect(struct store *s, const char *path, unsigned status, const char *part)
{
    char *body = page(s, path, status);

    if (strstr(body, part) == NULL)
        fail_msg("%s lacks '%s': %s", path, part, body);
    if (strstr(body, "<script>alert") != NULL || strchr(body, '\x1b') != NULL)
        fail_msg("%s: a text of the store is markup: %s", path, body);
    free(body);
}

static void an_empty_store_says_so(void **state)
{
    struct store *s = *state;

    expect(s, "/", 200, "No campaign yet");
    expect(s, "/api/campaigns", 200, "\"campaigns\": []");
}

static void nothing_of_the_store_is_markup(void **state)
{
    struct store *s = *state;
    char *name = written(hd_put_address, HOSTILE), path[600];

    fill(s->url);
    expect(s, "/", 200, HARMLESS "</a>");
    expect(s, "/id/1/", 200, "<h1>" HARMLESS);
    snprintf(path, sizeof path, "/campaign/%s/", name);
    expect(s, path, 200, "<h1>" HARMLESS);
    snprintf(path, sizeof path, "/campaign/%s/finding/%s/", name, name);
    expect(s, path, 200, HARMLESS "</h1>");
    snprintf(path, sizeof path, "/campaign/%s/finding/%s/report", name, name);
    expect(s, path, 200, "\\u003cscript>alert"); /* as JSON, inside a script element */
    expect(s, "/id/1/finding/plain/", 200, "no schedule");
    expect(s, "/id/1/finding/plain/report", 404, "nothing at this address"); /* no report in it */
    expect(s, "/id/1/finding/plain/schedule", 404, "nothing at this address");
    free(name);
}

/* The name of a file that is downloaded goes into a header. */
static void names_of_files_are_harmless(void **state)
{
    struct store *s = *state;
    char *name = written(hd_put_address, HOSTILE), path[600];
    struct hd_answer a;

    fill(s->url);
    snprintf(path, sizeof path, "/id/1/finding/%s/schedule", name);
    hd_answer(&s->site, path, &a);
    assert_int_equal(a.status, 200);
    assert_string_equal(a.file, "_script_aler.heddle");
    hd_answer_free(&a);
    free(name);
}

static void json_is_json(void **state)
{
    struct store *s = *state;

    fill(s->url);
    const char *const paths[] = { "/api/campaigns", "/api/id/1", "/api/id/2", "/api/nothing" };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct hd_answer a;

        hd_answer(&s->site, paths[i], &a);
        assert_int_equal(a.status, i < 2 ? 200 : 404);
        assert_string_equal(a.type, "application/json");
        assert_null(strchr(a.body, '\x1b'));
        hd_answer_free(&a);
    }
}

static void other_addresses_have_nothing(void **state)
{
    static const char *const paths[] = { "", "x", "//", "/campaign", "/campaign/", "/campaign/none/", "/id/x/", "/id/-1/", "/id/2/",
                                         "/id/99999999999999999999/", "/id/1/finding", "/id/1/finding/", "/id/1/finding/none/",
                                         "/id/1/other/plain/", "/id/1/finding/plain/other", "/id/1/finding/plain/report/", "/api", "/api/",
                                         "/api/id", "/api/id/1/finding/plain", "/campaign/%", "/campaign/%00/", "/campaign/..%2f..%2fetc/",
                                         "/style.css/", "/a/b/c/d/e/f/g/h/i/j/k/l", "/../../etc/passwd" };
    struct store *s = *state;

    fill(s->url);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        free(page(s, paths[i], 404));
}

static void pages_move_to_their_folder(void **state)
{
    static const struct { const char *path, *to; } rows[] = { { "/id/1", "1/" }, { "/id/1/finding/plain", "plain/" } };
    struct store *s = *state;

    fill(s->url);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hd_answer a;

        hd_answer(&s->site, rows[i].path, &a);
        assert_int_equal(a.status, 301);
        assert_string_equal(a.location, rows[i].to);
        hd_answer_free(&a);
    }
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* A missing file is not created, a file that is none is no store, and one that comes back is read again. */
static void a_store_that_goes_away_comes_back(void **state)
{
    struct store *s = *state;
    char away[80], error[512];

    snprintf(away, sizeof away, "%s-away", s->path);
    free(page(s, "/", 200));
    assert_int_equal(rename(s->path, away), 0);
    expect(s, "/", 503, "unable to open");
    assert_int_equal(access(s->path, F_OK), -1);
    assert_null(hd_view_open(s->url, error, sizeof error));
    assert_int_equal(access(s->path, F_OK), -1);
    assert_int_equal(rename(away, s->path), 0);
    free(page(s, "/", 200));
}

static void other_files_are_no_stores(void **state)
{
    struct store *s = *state;
    char path[] = "/tmp/heddle-nostore-XXXXXX", url[80], error[512];
    struct hd_sql *q;

    make_file(path, "this is a text, and it is longer than the head of a database is, so that it can be taken for nothing else.\n");
    snprintf(url, sizeof url, "sqlite:%s", path);
    assert_null(hd_view_open(url, error, sizeof error));
    assert_non_null(strstr(error, "not a database"));
    truncate(path, 0);
    assert_null(hd_view_open(url, error, sizeof error));
    assert_non_null(strstr(error, "no store"));
    unlink(path);
    assert_null(hd_view_open("mysql://db", error, sizeof error));
    q = hd_sql_open(s->url, error, sizeof error); /* versions that are not this one */
    run(q, "UPDATE heddle_schema SET version = 1 WHERE $1 <> ''");
    expect(s, "/", 503, "an older Heddle");
    run(q, "UPDATE heddle_schema SET version = 1000 WHERE $1 <> ''");
    expect(s, "/", 503, "use a newer Heddle");
    hd_sql_close(q);
}

/* Nobody can write by mistake. */
static void a_reader_cannot_write(void **state)
{
    struct store *s = *state;
    char error[512];
    struct hd_sql *q = hd_sql_open_to_read(s->url, 1000, error, sizeof error);

    assert_non_null(q);
    assert_false(hd_sql_run(q, NULL, "DELETE FROM campaign", ""));
    assert_non_null(strstr(hd_sql_error(q), "readonly"));
    hd_sql_close(q);
}

#define WITH_STORE(f) cmocka_unit_test_setup_teardown(f, open_store, close_store)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_no_markup),
        cmocka_unit_test(addresses_come_back),
        cmocka_unit_test(numbers_are_readable),
        cmocka_unit_test(only_names_that_cannot_be_rebound),
        cmocka_unit_test(tokens_are_compared),
        cmocka_unit_test(tokens_that_are_none_are_refused),
        cmocka_unit_test(addresses_are_digits_with_a_port),
        cmocka_unit_test(passwords_are_not_shown),
        cmocka_unit_test(states_have_words),
        cmocka_unit_test(states_survive_nonsense),
        WITH_STORE(an_empty_store_says_so),
        WITH_STORE(nothing_of_the_store_is_markup),
        WITH_STORE(names_of_files_are_harmless),
        WITH_STORE(json_is_json),
        WITH_STORE(other_addresses_have_nothing),
        WITH_STORE(pages_move_to_their_folder),
        WITH_STORE(a_store_that_goes_away_comes_back),
        WITH_STORE(other_files_are_no_stores),
        WITH_STORE(a_reader_cannot_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
