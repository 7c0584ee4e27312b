/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json_test.c - the JSON object: strings of any bytes, the fields that scripts
 * rely on, the file that appears whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json.h"
#include "campaign/setup/configure.h"
#include "report/verdict/result.h"

#include "report/print/file.h"

static const struct { const char *name, *in, *want; } rows[] = {
    { "empty", "", "\"\"" },
    { "plain", "a b", "\"a b\"" },
    { "quote and backslash", "\"\\", "\"\\\"\\\\\"" },
    { "newline and tab", "\n\t", "\"\\n\\t\"" },
    { "other control characters", "\x01\x1b\x7f\r", "\"\\u0001\\u001b\\u007f\\u000d\"" },
    { "utf-8 of 2, 3 and 4 bytes", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
    { "a lone continuation", "\x80z", "\"\\ufffdz\"" },
    { "cut off in the middle", "\xe2\x82", "\"\\ufffd\\ufffd\"" },
    { "overlong slash", "\xc0\xaf", "\"\\ufffd\\ufffd\"" },
    { "overlong in 3 bytes", "\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
    { "surrogate", "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
    { "beyond unicode", "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
    { "latin-1", "caf\xe9", "\"caf\\ufffd\"" },
};

static void strings_are_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *got;
        size_t n;
        struct hd_json j;

        hd_json_open(&j, open_memstream(&got, &n), 0);
        hd_json_string(&j, rows[i].in);
        fclose(j.out);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s: got %s, want %s", rows[i].name, got, rows[i].want);
        free(got);
    }
}

static void commas_and_brackets_are_placed(void **state)
{
    char *got;
    size_t n;
    struct hd_json j;

    (void)state;
    hd_json_open(&j, open_memstream(&got, &n), 1);
    hd_json_put_uint(&j, "a", UINT64_MAX); /* members of an object that is elsewhere */
    hd_json_put_array(hd_json_line(&j), "b");
    hd_json_int(&j, INT64_MIN);
    hd_json_object(hd_json_line(&j));
    hd_json_end(&j);
    hd_json_array(&j);
    hd_json_end(&j);
    hd_json_null(&j);
    hd_json_end(&j);
    hd_json_put_string_or_null(&j, "c", "");
    j.tight = true;
    hd_json_put_object(&j, "d");
    hd_json_put_bool(&j, "x", true);
    hd_json_key(&j, "y");
    hd_json_fixed(&j, 0.5, 3);
    hd_json_key(&j, "z");
    hd_json_double(&j, 1.0 / 0.0, 6);
    hd_json_raw(&j, "");
    hd_json_raw(&j, "\"r\": [1]");
    hd_json_end(&j);
    fclose(j.out);
    assert_string_equal(got, "\"a\": 18446744073709551615,\n \"b\": [-9223372036854775808,\n  {}, [], null], "
                             "\"c\": null,\"d\":{\"x\":true,\"y\":0.500,\"z\":null,\"r\": [1]}");
    free(got);
}

static const struct hd_result_finding finding = {
    .id = "3f2a00000001", .kind = HD_FK_DATA_RACE, .message = "\"x\" \\ \n", .execution = 7,
    .preemptions = 1, .schedule = ".heddle/3f2a00000001.heddle", .why = { .sentence = "fails because" },
};
static const struct hd_result_warning warned = {
    .kind = HD_WARN_LOCK_ORDER, .message = "a and \"b\"", .details = (char *)"one\ntwo\n",
};
static const struct hd_ledger notes = { .n = 1, .entry = { { HD_QUALIFIES, "a \"note\"" } } };

static struct hd_result example(struct hd_config *c)
{
    *c = (struct hd_config){ .bound = 2, .seed = 1 };
    hd_configure_strategy(c, "ipb", "");
    return (struct hd_result){
        .program = "./t", .config = c, .verdict = HD_VERDICT_BUG, .fork_reason = "",
        .totals = { .executions = 12, .first_buggy = 7, .bound = -1 }, .seconds = 0.01,
        .ledger = &notes, .findings = &finding, .nfindings = 1,
        .warnings = &warned, .nwarnings = 1,
    };
}

static void want(const char *json, const char *part)
{
    if (strstr(json, part) == NULL)
        fail_msg("missing %s in %s", part, json);
}

static void the_object_has_its_fields(void **state)
{
    struct hd_config c;
    struct hd_result r = example(&c);
    char *got;
    size_t n;
    FILE *f = open_memstream(&got, &n);

    (void)state;
    hd_result_json(f, &r);
    fclose(f);
    want(got, "{\"version\": 1, \"program\": \"./t\", \"strategy\": \"ipb\", \"verdict\": \"bug\"");
    want(got, "\"complete\": false");
    want(got, "\"executions\": 12, \"redundant\": 0, \"over_bound\": 0, \"passes\": 1, \"bound\": 2, \"seed\": 1");
    want(got, "\"seconds\": 0.010000, \"executions_per_second\": 1200");
    want(got, "\"first_bug_execution\": 7");
    want(got, "{\"id\": \"3f2a00000001\", \"kind\": \"data-race\", \"message\": \"\\\"x\\\" \\\\ \\n\", "
              "\"execution\": 7, \"preemptions\": 1, "
              "\"schedule\": \".heddle/3f2a00000001.heddle\", \"why\": \"fails because\", \"repeated\": null}");
    want(got, "\"warnings\": [\n  {\"kind\": \"potential-deadlock\", \"message\": \"a and \\\"b\\\"\", "
              "\"details\": \"one\\ntwo\\n\"}],");
    want(got, "\"uncontrolled\": [\"a \\\"note\\\"\"],\n "
              "\"ledger\": [\n  {\"effect\": \"qualifies\", \"text\": \"a \\\"note\\\"\"}],\n \"unseen\": [],\n "
              "\"weak_atomics\": [],\n \"cut_loops\": [],\n "
              "\"faults\": [], \"fault_bound\": 0, \"assumed\": 0, \"never_assumed\": [], \"never_aborted\": [],\n "
              "\"suppressed\": 0, \"suppressions\": []}\n");
    free(got);
}

static void unknown_values_are_null(void **state)
{
    struct hd_config c;
    struct hd_result r = example(&c);
    struct hd_result_finding unsaved = finding;
    char *got;
    size_t n;
    FILE *f = open_memstream(&got, &n);

    (void)state;
    c.bound = -1;
    r.totals.bug_bound = -1; /* of a search without one */
    r.totals.bug_bound_set = 1;
    r.totals.first_buggy = 0;
    unsaved.schedule[0] = '\0';
    r.findings = &unsaved;
    hd_result_json(f, &r);
    fclose(f);
    want(got, "\"bound\": null");
    want(got, "\"bug_bound\": null");
    want(got, "\"first_bug_execution\": null");
    want(got, "\"schedule\": null");
    free(got);
}

static void write_it(FILE *out, const void *what)
{
    hd_result_json(out, what);
}

static void the_file_is_replaced_whole(void **state)
{
    struct hd_config c;
    struct hd_result r = example(&c);
    char dir[] = "/tmp/heddle-json-XXXXXX", path[64], bad[80];
    struct stat st;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/r.json", dir);
    assert_true(hd_file_write(path, write_it, &r));
    assert_true(hd_file_write(path, write_it, &r));
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 100);
    snprintf(bad, sizeof bad, "%s/no/r.json", dir);
    assert_false(hd_file_write(bad, write_it, &r));
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* nothing else was left behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(commas_and_brackets_are_placed),
        cmocka_unit_test(the_object_has_its_fields),
        cmocka_unit_test(unknown_values_are_null),
        cmocka_unit_test(the_file_is_replaced_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
