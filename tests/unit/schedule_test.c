/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule_test.c - a schedule survives writing and reading; a damaged file
 * never crashes the reader and is never accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/schedule.h"

static const char nasty[] = "quote \" backslash \\ newline \n tab \t escape \x1b bytes \xc3\xa9 \xff";

static void fill(struct hd_schedule *s)
{
    hd_schedule_init(s);
    s->program = "./a program";
    s->directory = "/somewhere";
    s->build_id = "5f0c00ff";
    hd_schedule_add_arg(s, "");
    hd_schedule_add_arg(s, nasty);
    s->test = nasty;
    s->timeouts_idle = true;
    s->points = HD_POINTS_RACES;
    hd_schedule_add_site(s, hd_cname_make(HD_REG_MODULE, 3, 0x123456789a));
    hd_schedule_add_site(s, hd_cname_make(HD_REG_OTHER, 0, 1));
    assert_true(hd_schedule_add_wait(s, hd_cname_make(HD_REG_MODULE, 0, 0x1234)));
    s->awaits = 1;
    hd_schedule_add_filter(s, true, nasty);
    hd_schedule_add_filter(s, false, "f");
    s->loop_bound = 3;
    s->exit_grace = UINT32_MAX;
    s->max_steps = 20000;
    s->strategy = "pct";
    s->seed = UINT64_MAX;
    s->kind = HD_FK_DEADLOCK;
    s->message = nasty;
    s->execution = 7;
    s->preemptions = 1;
    hd_schedule_reserve(s, 2, 2, 3);
    s->slots[1] = (struct hd_schedule_slot){ 0, 4 };
    s->threads[0] = (struct hd_schedule_thread){ HD_NO_TID, 0, 0, "" };
    s->threads[1] = (struct hd_schedule_thread){ 0, 4, 1, nasty };
    s->steps[0] = (struct hd_schedule_step){ { 0, 0, 0xdeadbeef }, HD_EV_THREAD_CREATE, "thread T1",
                                             "t.c:30", nasty, HD_REG_THREAD };
    s->steps[1] = (struct hd_schedule_step){ { 2, 3, 0 }, HD_EV_CHOOSE, "", "t.c:31", "pick", HD_REG_OTHER };
    s->steps[2] = (struct hd_schedule_step){ { 1, 0, 1 }, HD_EV_NONE, nasty, "", "", HD_REG_MODULE };
}

/* A leak has a line of its own. */
static void fill_leak(struct hd_schedule *s)
{
    fill(s);
    s->kind = HD_FK_LEAK;
    s->recycle = true;
    s->leak_site = UINT64_MAX;
    s->leak_expected = UINT32_MAX - 1;
}

static char *written(const struct hd_schedule *s, size_t *size, uint64_t *sum)
{
    char *data;
    FILE *f = open_memstream(&data, size);

    assert_true(hd_schedule_write(s, f, sum));
    fclose(f);
    char *copy = malloc(*size + 1); /* the compiler takes the stream's own buffer for a local */

    memcpy(copy, data, *size + 1);
    free(data);
    return copy;
}

static void a_leak_is_read_back(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size;
    uint64_t sum;

    (void)state;
    fill_leak(&a);
    char *data = written(&a, &size, &sum);

    hd_schedule_init(&b);
    if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
        fail_msg("%s", err.text);
    assert_true(b.kind == HD_FK_LEAK && b.recycle);
    assert_true(b.leak_site == UINT64_MAX && b.leak_expected == UINT32_MAX - 1);
    hd_schedule_free(&a);
    hd_schedule_free(&b);
    free(data);
}

/* So has the output that was expected, also if it is empty. */
static void expected_output_is_read_back(void **state)
{
    static const char *const texts[] = { "", "a \"line\"\n\tand another\n" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct hd_schedule a, b, like;
        struct hd_schedule_error err = { "" };
        size_t size;
        uint64_t sum;

        fill(&a);
        a.kind = HD_FK_WRONG_OUTPUT;
        a.expect = HD_EXPECT_SAME;
        a.livelock = 500;
        a.expected = texts[i];
        char *data = written(&a, &size, &sum);

        hd_schedule_init(&b);
        if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
            fail_msg("%s", err.text);
        assert_string_equal(b.expected, texts[i]);
        assert_true(b.expect == HD_EXPECT_SAME && b.livelock == 500);
        hd_schedule_like(&like, &b);
        assert_string_equal(like.expected, texts[i]);
        hd_schedule_free(&like);
        hd_schedule_free(&b);
        char *line = strstr(data, "\nexpected "), *end = strchr(line + 1, '\n');

        memmove(line, end, strlen(end) + 1); /* it is required */
        hd_schedule_init(&b);
        assert_false(hd_schedule_parse(&b, "x.heddle", data, strlen(data), &err));
        assert_non_null(strstr(err.text, "expected \"expected\""));
        hd_schedule_free(&b);
        hd_schedule_free(&a);
        free(data);
    }
}

/* So has the object of a data race; and each step has a name that outlives an edit. */
static void lasting_names_are_read_back(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size;
    uint64_t sum;

    (void)state;
    fill(&a);
    a.kind = HD_FK_DATA_RACE;
    a.about = nasty;
    char *data = written(&a, &size, &sum);

    hd_schedule_init(&b);
    if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
        fail_msg("%s", err.text);
    assert_string_equal(b.about, nasty);
    assert_int_equal(b.version, HD_SCHEDULE_VERSION);
    assert_string_equal(b.steps[0].function, nasty);
    assert_int_equal(b.steps[0].region, HD_REG_THREAD);
    assert_string_equal(b.steps[1].function, "pick");
    assert_int_equal(b.steps[2].region, HD_REG_MODULE);
    assert_string_equal(hd_schedule_lasting(HD_REG_MODULE, "x"), "x");
    assert_string_equal(hd_schedule_lasting(HD_REG_HEAP, "q->lock"), "heap");
    assert_string_equal(hd_schedule_lasting(HD_REG_HEAP, ""), "");
    hd_schedule_free(&a);
    hd_schedule_free(&b);
    free(data);
}

/* Earlier versions, whose steps have no function, are read up to the sum. */
static void earlier_versions_are_read(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size;
    uint64_t sum;

    (void)state;
    fill(&a);
    a.nsteps = 0;
    char *data = written(&a, &size, &sum);

    for (char version = '1'; version <= '9'; version++) {
        memcpy(data + strlen("heddle-schedule "), (char[]){ '0', version }, 2);
        hd_schedule_init(&b);
        assert_false(hd_schedule_parse(&b, "x.heddle", data, size, &err));
        assert_non_null(strstr(err.text, "checksum"));
        hd_schedule_free(&b);
    }
    hd_schedule_free(&a);
    free(data);
}

/* So has the reason why it fails. */
static void why_is_read_back(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size;
    uint64_t sum;

    (void)state;
    fill(&a);
    a.why = "fails because \"a\" came before b";
    a.ndecisive = 2;
    a.decisive[0] = 14;
    a.decisive[1] = UINT32_MAX;
    char *data = written(&a, &size, &sum);

    assert_non_null(strstr(data, "\nwhy \"fails because \\\"a\\\" came before b\" 14 4294967295\n"));
    hd_schedule_init(&b);
    if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
        fail_msg("%s", err.text);
    assert_string_equal(b.why, a.why);
    assert_int_equal(b.ndecisive, 2);
    assert_true(b.decisive[0] == 14 && b.decisive[1] == UINT32_MAX);
    hd_schedule_free(&b);
    hd_schedule_init(&b);
    memcpy(strstr(data, " 4294967295\n"), " 1 2 3 4 55", 11); /* more than there is room for */
    assert_false(hd_schedule_parse(&b, "x.heddle", data, size, &err));
    hd_schedule_free(&b);

    hd_schedule_like(&b, &a); /* all of the head, and none of the rest */
    assert_string_equal(b.program, a.program);
    assert_int_equal(b.nargs, a.nargs);
    assert_int_equal(b.nsites, a.nsites);
    assert_true(b.nsteps == 0 && b.nthreads == 0 && b.nslots == 0);
    hd_schedule_free(&a);
    hd_schedule_free(&b);
    free(data);
}

static void faults_are_read_back(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size;
    uint64_t sum;

    (void)state;
    fill(&a);
    a.faults = HD_FAULT_MALLOC | HD_FAULT_TRYLOCK | HD_FAULT_DROP;
    hd_fault_set_budget(&a.settings, 6, 3);
    a.fault_bound = 2;
    a.fault_odds = 16;
    a.fault_past_bound = true;
    char *data = written(&a, &size, &sum);

    assert_non_null(strstr(data, "\nfaults malloc,trylock,drop=3 2 16 cut\n"));
    hd_schedule_init(&b);
    if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
        fail_msg("%s", err.text);
    assert_int_equal(b.faults, a.faults);
    assert_true(b.fault_bound == 2 && b.fault_odds == 16 && b.fault_past_bound);
    assert_int_equal(hd_fault_budget(&b.settings, 6), 3);
    hd_schedule_free(&b);
    hd_schedule_init(&b);
    *strstr(data, ",trylock") = ';';
    assert_false(hd_schedule_parse(&b, "x.heddle", data, size, &err));
    assert_non_null(strstr(err.text, "unknown fault \"malloc;trylock\""));
    hd_schedule_free(&a);
    hd_schedule_free(&b);
    free(data);
}

static void what_is_written_is_read(void **state)
{
    struct hd_schedule a, b;
    struct hd_schedule_error err = { "" };
    size_t size, size2;
    uint64_t sum, sum2;

    (void)state;
    fill(&a);
    char *data = written(&a, &size, &sum);

    hd_schedule_init(&b);
    if (!hd_schedule_parse(&b, "x.heddle", data, size, &err))
        fail_msg("%s", err.text);
    char *again = written(&b, &size2, &sum2);

    assert_int_equal(size, size2);
    assert_memory_equal(data, again, size);
    assert_true(sum == sum2);
    assert_string_equal(b.message, nasty);
    assert_int_equal(b.nargs, 2);
    assert_int_equal(b.nsites, 2);
    assert_memory_equal(b.sites, a.sites, 2 * sizeof *a.sites);
    assert_int_equal(b.nfilters, 2);
    assert_true(b.filters[0].within && !b.filters[1].within);
    assert_string_equal(b.filters[0].function, nasty);
    assert_string_equal(b.args[1], nasty);
    assert_string_equal(b.test, nasty);
    assert_int_equal(b.nsteps, 3);
    assert_int_equal(b.steps[1].decision.alternatives, 3);
    assert_int_equal(b.steps[0].decision.sig, 0xdeadbeef);
    assert_string_equal(b.threads[1].name, nasty);
    assert_true(b.seed == UINT64_MAX && b.exit_grace == UINT32_MAX && b.timeouts_idle && !b.study);
    free(data);
    free(again);
    hd_schedule_free(&a);
    hd_schedule_free(&b);
}

static char *a_file(size_t *size)
{
    struct hd_schedule s;
    uint64_t sum;

    fill(&s);
    char *data = written(&s, size, &sum);

    hd_schedule_free(&s);
    return data;
}

static bool accepted(const char *data, size_t size, char *why)
{
    struct hd_schedule s;
    struct hd_schedule_error err = { "" };
    char *exact = malloc(size != 0 ? size : 1); /* so that a sanitizer sees reads past the end */

    memcpy(exact, data, size);
    hd_schedule_init(&s);
    bool ok = hd_schedule_parse(&s, "x.heddle", exact, size, &err);

    hd_schedule_free(&s);
    free(exact);
    if (!ok && strncmp(err.text, "x.heddle:", 9) != 0)
        fail_msg("error without file and line: %s", err.text);
    strcpy(why, err.text);
    return ok;
}

static void every_truncation_is_refused(void **state)
{
    size_t size;
    char why[512];

    (void)state;
    char *data = a_file(&size);

    for (size_t n = 0; n < size; n++)
        if (accepted(data, n, why))
            fail_msg("accepted when cut to %zu of %zu bytes", n, size);
    free(data);
}

static void every_changed_byte_is_refused(void **state)
{
    static const unsigned char patterns[] = { 1, 2, 4, 8, 16, 32, 64, 128, 0x1a, 0xff };
    size_t size;
    char why[512];

    (void)state;
    char *data = a_file(&size);

    for (size_t at = 0; at < size; at++)
        for (size_t i = 0; i < sizeof patterns; i++) {
            data[at] ^= (char)patterns[i];
            if (accepted(data, size, why))
                fail_msg("accepted with byte %zu changed by %#x", at, patterns[i]);
            data[at] ^= (char)patterns[i];
        }
    free(data);
}

/* Lines put in place of others, with no sum that fits: the parser must stop at
 * the line itself and say what it wanted. */
static const struct { const char *name, *from, *to, *want; } rows[] = {
    { "no schedule", "heddle-schedule 10", "ELF", ":1: this is not a schedule" },
    { "newer version", "heddle-schedule 10", "heddle-schedule 11", ":1: format version 11" },
    { "number too large", "option loop-bound 3", "option loop-bound 4294967296", ":17: number" },
    { "too many threads", "threads 2", "threads 1281", ":40: number larger than 1280" },
    { "count beyond the file", "steps 3", "steps 3000000", "too short" },
    { "unknown kind", "kind deadlock", "kind livedock", ":33: unknown kind" },
    { "no such alternative", "choice 2/3", "choice 3/3", "does not exist" },
    { "thread out of range", "t1 NONE", "t9999 NONE", "number larger than 1279" },
    { "unknown operation", "THREAD_CREATE", "THREAD_CREATF", "unknown operation" },
    { "two lines in one", "seed", "seeds", "unknown line" },
    { "an unknown option", "option loop-bound 3", "option loop-band 3", "no option \"loop-band\"" },
    { "an option twice", "option loop-bound 3", "option loop-bound 3\noption loop-bound 3",
      ":18: a second \"option loop-bound\"" },
    { "no awaits", "option awaits on\n", "", "expected \"option awaits\" before" },
    { "an option missing", "option loop-bound 3\n", "", "expected \"option loop-bound\" before" },
    { "a line missing", "kind deadlock\n", "", "expected \"kind\" before" },
    { "a line twice", "kind deadlock\n", "kind deadlock\nkind deadlock\n", "a second \"kind\"" },
    { "another order is read", "option timeouts idle\noption points races",
      "option points races\noption timeouts idle", "checksum" },
    { "an earlier version has no functions", "heddle-schedule 10", "heddle-schedule 3",
      "unexpected text at the end" },
    { "a function missing", " \"pick\"\n", "\n", "expected a space" },
    { "an unknown region", "static\n", "statics\n", "unknown region \"statics\"" },
    { "only the sum is wrong", "execution 7", "execution 8", "checksum" },
};

static void errors_say_where_and_what(void **state)
{
    size_t size;
    char why[512], changed[4096];

    (void)state;
    char *data = a_file(&size);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *at = strstr(data, rows[i].from);

        assert_non_null(at);
        int n = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - data), data, rows[i].to,
                         at + strlen(rows[i].from));

        if (accepted(changed, (size_t)n, why))
            fail_msg("%s: accepted", rows[i].name);
        if (strstr(why, rows[i].want) == NULL)
            fail_msg("%s: said \"%s\", want \"%s\"", rows[i].name, why, rows[i].want);
    }
    free(data);
}

static void a_missing_file_is_named(void **state)
{
    struct hd_schedule s;
    struct hd_schedule_error err;

    (void)state;
    hd_schedule_init(&s);
    assert_false(hd_schedule_read(&s, "no/such/file.heddle", &err));
    assert_non_null(strstr(err.text, "no/such/file.heddle: No such file"));
    hd_schedule_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_leak_is_read_back),
        cmocka_unit_test(expected_output_is_read_back),
        cmocka_unit_test(lasting_names_are_read_back),
        cmocka_unit_test(earlier_versions_are_read),
        cmocka_unit_test(why_is_read_back),
        cmocka_unit_test(faults_are_read_back),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_changed_byte_is_refused),
        cmocka_unit_test(errors_say_where_and_what),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
