/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats_test.c - stats.json written and read back, and whose it is. */
#include "support/unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "status/stats_table.h"

static char *written(const struct hd_stats *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    hd_stats_write(out, s);
    fclose(out);
    return text;
}

/* Every field has a value of its own, so that two that are mixed up show. */
static void fill(struct hd_stats *s)
{
    hd_stats_clear(s);
    for (size_t i = 0; i < hd_stats_field_count; i++) {
        const struct hd_stats_field *f = &hd_stats_fields[i];
        void *at = (char *)s + f->at;

        if (f->type == HD_STATS_TRUTH)
            *(bool *)at = true;
        else if (f->type == HD_STATS_COUNT)
            *(uint64_t *)at = UINT64_MAX - i;
        else if (f->type == HD_STATS_NUMBER)
            *(double *)at = (double)i + 0.25;
        else if (f->type == HD_STATS_TEXT)
            snprintf(at, f->size, "%zu \"\\\n\t\x01 a", i);
        else
            for (unsigned k = 0; k < HD_FK_COUNT; k++)
                ((uint64_t *)at)[k] = k + 1;
    }
}

static void what_is_written_is_read(void **state)
{
    struct hd_stats s, back;

    (void)state;
    fill(&s);
    char *text = written(&s);

    assert_true(hd_stats_parse(text, &back));
    for (size_t i = 0; i < hd_stats_field_count; i++)
        if (hd_stats_fields[i].type == HD_STATS_TEXT)
            assert_string_equal((char *)&back + hd_stats_fields[i].at,
                                (char *)&s + hd_stats_fields[i].at);
        else
            assert_memory_equal((char *)&back + hd_stats_fields[i].at,
                                (char *)&s + hd_stats_fields[i].at, hd_stats_fields[i].size);
    free(text);
}

static void what_is_not_known_is_null(void **state)
{
    struct hd_stats s, back;

    (void)state;
    hd_stats_clear(&s);
    s.version = HD_STATS_VERSION;
    s.rate = INFINITY; /* JSON has none */
    char *text = written(&s);

    assert_non_null(strstr(text, "\"rate\": null"));
    assert_non_null(strstr(text, "\"verdict\": null"));
    assert_true(hd_stats_parse(text, &back));
    assert_true(isnan(back.rate) && isnan(back.explored));
    assert_string_equal(back.verdict, "");
    free(text);
}

static void the_time_keeps_its_seconds(void **state)
{
    struct hd_stats s, back;

    (void)state;
    hd_stats_clear(&s);
    s.version = HD_STATS_VERSION;
    s.started = 1794811095.394;
    char *text = written(&s);

    assert_true(hd_stats_parse(text, &back));
    assert_true(fabs(back.started - s.started) < 0.001);
    free(text);
}

/* Of a later version: more fields, of any kind. */
static void unknown_fields_are_passed_over(void **state)
{
    struct hd_stats s;

    (void)state;
    assert_true(hd_stats_parse("{\"new\": [1, {\"a\": [\"}\", null]}, []], \"version\": 2,"
                               "\"by_kind\": {\"deadlock\": 3, \"other\": {\"x\": 1}}, \"x\": {},"
                               " \"pid\": \"not a number\", \"program\": 7, \"seed\": 5}", &s));
    assert_int_equal(s.version, 2);
    assert_int_equal(s.seed, 5);
    assert_int_equal(s.by_kind[HD_FK_DEADLOCK], 3);
    assert_int_equal(s.pid, 0);
    assert_string_equal(s.program, "");
}

static void what_is_no_object_is_refused(void **state)
{
    static const char *const bad[] = {
        "", "{", "}", "[]", "{}", "null", "{\"version\": 1", "{\"version\": 1,}", "{\"version\" 1}",
        "{\"version\": 1} x", "{\"version\": }", "{\"version\": 1, \"a\": \"\\q\"}",
        "{\"version\": 1, \"a\": \"no end}", "{\"version\": 1, \"a\": tru}",
        "{\"version\": 1, \"a\": {\"b\"}}", "{\"version\": 1, \"a\": [1 2]}", "{\"seed\": 1}",
        "{\"version\": 1, \"a\": \"\\u12\"}", "{\"version\": 1, \"a\": \"a\nb\"}",
    };
    char deep[200];
    struct hd_stats s;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(hd_stats_parse(bad[i], &s));
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"a\": ", 6);
    deep[sizeof deep - 1] = '\0';
    assert_false(hd_stats_parse(deep, &s));
    assert_false(hd_stats_read("no/such/file", &s));
    assert_int_equal(errno, ENOENT);
    assert_false(hd_stats_read("/dev/null", &s));
    assert_int_equal(errno, EBADMSG);
}

/* Every part of a whole file is no whole file: what a reader would see of one that is not
 * replaced at once. */
static void half_a_file_is_refused(void **state)
{
    struct hd_stats s, back;

    (void)state;
    fill(&s);
    char *text = written(&s);

    for (size_t n = strlen(text) - 2; n > 0; n--) {
        text[n] = '\0';
        assert_false(hd_stats_parse(text, &back));
    }
    free(text);
}

static void the_living_are_recognised(void **state)
{
    struct hd_stats s;
    pid_t child;

    (void)state;
    hd_stats_clear(&s);
    s.running = true;
    hd_stats_identify(&s);
    assert_int_equal(s.pid, getpid());
    assert_true(hd_stats_alive(&s));
    s.process_start++; /* another process that got the number */
    assert_false(hd_stats_alive(&s));
    hd_stats_identify(&s);
    s.boot[0] = s.boot[0] == 'x' ? 'y' : 'x'; /* before the machine was started anew */
    assert_false(hd_stats_alive(&s));
    hd_stats_identify(&s);
    s.running = false;
    assert_false(hd_stats_alive(&s));

    /* dead, but not yet waited for */
    int pipe_of[2];

    assert_int_equal(pipe(pipe_of), 0);
    child = fork();
    if (child == 0) {
        hd_stats_identify(&s);
        s.running = true;
        if (write(pipe_of[1], &s, sizeof s) != sizeof s)
            _exit(1);
        pause();
    }
    assert_int_equal(read(pipe_of[0], &s, sizeof s), sizeof s);
    assert_true(hd_stats_alive(&s));
    kill(child, SIGKILL);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_false(hd_stats_alive(&s));
    waitpid(child, NULL, 0);
    assert_false(hd_stats_alive(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_not_known_is_null),
        cmocka_unit_test(the_time_keeps_its_seconds),
        cmocka_unit_test(unknown_fields_are_passed_over),
        cmocka_unit_test(what_is_no_object_is_refused),
        cmocka_unit_test(half_a_file_is_refused),
        cmocka_unit_test(the_living_are_recognised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
