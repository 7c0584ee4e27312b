/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_test.c - reading suppressions, and which findings they cover. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/suppress/suppress.h"

#define COUNT(list) (unsigned)(sizeof(list) / sizeof *(list))

/* ---- reading -------------------------------------------------------------------------- */

static void reads_every_key(void **state)
{
    struct hd_suppressions s = { .n = 0 };
    char error[300];

    (void)state;
    assert_true(hd_suppressions_parse(&s, "f.supp",
                                      "# a comment\n"
                                      "\n"
                                      "{\r\n"
                                      "  it is only statistics: see the manual\n"
                                      "  kind: data-race\n"
                                      "  variable: stats.hits[2]  \n"
                                      "  message: *nothing orders*\n"
                                      "  stack:\n"
                                      "  fun: push(int, char const*)\n"
                                      "  ...\n"
                                      "\tfile: src/*.c\n"
                                      "  # between\n"
                                      "  obj: libz.so*\n"
                                      "}\n"
                                      "{\n second\n kind: leak\n}", error, sizeof error));
    assert_int_equal(s.n, 2);
    const struct hd_suppression *one = &s.all[0];

    assert_string_equal(one->file, "f.supp");
    assert_int_equal(one->line, 3);
    assert_string_equal(one->name, "it is only statistics: see the manual");
    assert_string_equal(one->kind, "data-race");
    assert_int_equal(one->nvariables, 1);
    assert_string_equal(one->variables[0], "stats.hits[2]");
    assert_string_equal(one->message, "*nothing orders*");
    static const enum hd_supp_part parts[] = { HD_SUPP_STACK, HD_SUPP_FUN, HD_SUPP_ANY,
                                               HD_SUPP_FILE, HD_SUPP_OBJ };

    assert_int_equal(one->nlines, COUNT(parts));
    for (unsigned i = 0; i < COUNT(parts); i++)
        assert_int_equal(one->lines[i].part, parts[i]);
    assert_string_equal(one->lines[1].glob, "push(int, char const*)");
    assert_string_equal(one->lines[4].glob, "libz.so*");
    assert_int_equal(s.all[1].line, 15);
    assert_int_equal(s.all[1].nlines, 0);
    hd_suppressions_free(&s);
}

static void malformed_files_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "kind: leak\n", "f:1: expected '{'" },
        { "{\n name\n kind: leak\n", "f:4: the suppression that begins at line 1 has no '}'" },
        { "{\n name\n kind: leak\n{\n", "f:4: the suppression that begins at line 1" },
        { "{\n}\n", "f:2: a suppression without a name" },
        { "{\n name\n}\n", "f:3: 'name' has no kind" },
        { "{\n kind: leak\n}\n", "f:2: the first line after '{' is the name" },
        { "{\n n\n kind: laek\n}\n", "f:3: there is no kind of finding 'laek'" },
        { "{\n n\n kind: nondeterminism\n}\n", "f:3: nondeterminism cannot be suppressed" },
        { "{\n n\n kind: leak\n kind: crash\n}\n", "f:4: a second 'kind:'" },
        { "{\n n\n kind: leak\n message: a\n message: b\n}\n", "f:5: a second 'message:'" },
        { "{\n n\n kind: potential-deadlock\n}\n", "f:3: potential-deadlock is a warning, and" },
        { "{\n n\n kind: thread-not-joined\n}\n", "f:3: thread-not-joined is a warning, and" },
        { "{\n n\n kind: *\n}\n", "f:4: 'n' would suppress everything" },
        { "{\n n\n kind: leak\n fun:\n}\n", "f:4: 'fun:' wants a pattern" },
        { "{\n n\n kind: leak\n func: a\n}\n", "f:4: unknown key 'func'" },
        { "{\n n\n kind: leak\n foo\n}\n", "f:4: 'foo' is neither" },
        { "{\n n\n kind: leak\n stack: foo\n}\n", "f:4: 'stack:' stands alone" },
        { "{\n n\n kind: leak\n stack:\n stack:\n fun: a\n}\n", "f:5: no frames after" },
        { "{\n n\n kind: leak\n stack:\n}\n", "f:5: no frames after the last 'stack:'" },
        { "{ name\n kind: leak\n}\n", "f:1: expected '{' in a line of its own" },
    };

    (void)state;
    for (unsigned i = 0; i < COUNT(bad); i++) {
        struct hd_suppressions s = { .n = 0 };
        char error[300] = "";

        assert_true(hd_suppressions_parse(&s, "good", "{\n ok\n kind: leak\n}\n", error, 300));
        assert_false(hd_suppressions_parse(&s, "f", bad[i].text, error, sizeof error));
        if (strncmp(error, bad[i].says, strlen(bad[i].says)) != 0)
            fail_msg("said '%s' instead of '%s...'", error, bad[i].says);
        assert_int_equal(s.n, 1); /* nothing of the bad file */
        hd_suppressions_free(&s);
    }
}

static void files_are_read_or_the_reason_is_told(void **state)
{
    struct hd_suppressions s = { .n = 0 };
    char error[300], path[] = "/tmp/suppress-test-XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_true(hd_suppressions_read(&s, path, error, sizeof error));
    assert_int_equal(s.n, 0);
    assert_int_equal(write(fd, "{\n a\n kind: leak\n}\n", 19), 19);
    assert_true(hd_suppressions_read(&s, path, error, sizeof error));
    assert_int_equal(s.n, 1);
    assert_int_equal(write(fd, "\0", 1), 1);
    assert_false(hd_suppressions_read(&s, path, error, sizeof error));
    assert_non_null(strstr(error, "not a text"));
    close(fd);
    unlink(path);
    assert_false(hd_suppressions_read(&s, path, error, sizeof error));
    assert_non_null(strstr(error, "No such file"));
    assert_false(hd_suppressions_read(&s, "/", error, sizeof error));
    assert_non_null(strstr(error, "directory"));
    assert_int_equal(s.n, 1);
    hd_suppressions_free(&s);
}

/* ---- judging -------------------------------------------------------------------------- */

static void globs(void **state)
{
    (void)state;
    assert_true(hd_supp_glob("", ""));
    assert_false(hd_supp_glob("", "a"));
    assert_true(hd_supp_glob("*", ""));
    assert_true(hd_supp_glob("a*c*e", "abcde"));
    assert_true(hd_supp_glob("*ab", "aab"));
    assert_false(hd_supp_glob("*ab", "aba"));
    assert_true(hd_supp_glob("?[2]", "a[2]"));
    assert_false(hd_supp_glob("?[2]", "a2"));
    assert_false(hd_supp_glob("a?", "a"));
    assert_false(hd_supp_glob("abc", "ab"));
}

#define FRAME(fun, path, mod) { .function = fun, .file = path, .module = mod }

/* bump <- one, and bump <- two <- main, racing on stats.hits[2] */
static const struct hd_frame stack_one[] = { FRAME("bump", "/src/app/race.c", "race"),
                                             FRAME("one", "/src/app/race.c", "race") };
static const struct hd_frame stack_two[] = { FRAME("bump", "/src/app/race.c", "race"),
                                             FRAME("ns::two(int, char*) const", "/src/lib/two.cc", "libtwo.so.1"),
                                             FRAME("?", "", "libc.so.6"),
                                             FRAME("main", "/src/app/main.c", "race") };

static bool covered_as(const char *body, enum hd_finding_kind kind)
{
    static const struct hd_supp_stack stacks[] = { { stack_one, COUNT(stack_one) },
                                                   { stack_two, COUNT(stack_two) } };
    static const char *const variables[] = { "stats.hits[2]", "lock" };
    const struct hd_supp_subject what = { .kind = kind, .message = "T1 writes x",
                                          .variables = variables, .nvariables = COUNT(variables),
                                          .stacks = stacks, .nstacks = COUNT(stacks) };
    struct hd_suppressions s = { .n = 0 };
    char text[500], error[300];

    snprintf(text, sizeof text, "{\n other\n kind: crash\n}\n{\n name\n%s\n}\n", body);
    if (!hd_suppressions_parse(&s, "f", text, error, sizeof error))
        fail_msg("%s", error);
    const struct hd_suppression *got = hd_suppressions_find(&s, &what);

    if (got != NULL)
        assert_string_equal(got->name, "name");
    bool covered = got != NULL;

    hd_suppressions_free(&s);
    return covered;
}

#define COVERED(body) assert_true(covered_as("kind: data-race\n" body, HD_FK_DATA_RACE))
#define NOT_COVERED(body) assert_false(covered_as("kind: data-race\n" body, HD_FK_DATA_RACE))

static void kinds_variables_and_messages(void **state)
{
    (void)state;
    COVERED("");
    assert_true(covered_as("kind: *-race", HD_FK_DATA_RACE));
    assert_false(covered_as("kind: leak", HD_FK_DATA_RACE));
    assert_false(covered_as("kind: data-race", HD_FK_LEAK));
    assert_true(covered_as("kind: *\nfun: bump", HD_FK_LEAK));
    assert_false(covered_as("kind: *\nfun: bump", HD_FK_NONDETERMINISM));
    COVERED("variable: stats.*");
    COVERED("variable: stats.hits[2]");
    NOT_COVERED("variable: stats");
    NOT_COVERED("variable: stats.hits[3]");
    COVERED("variable: lock\nvariable: stats.*");
    COVERED("variable: lock\nvariable: l*"); /* every line fits one, and that may be the same */
    NOT_COVERED("variable: lock\nvariable: key");
    NOT_COVERED("variable: key\nvariable: lock");
    COVERED("message: *writes*");
    NOT_COVERED("message: writes");
    NOT_COVERED("variable: stats.*\nmessage: writes");
}

static void frames_are_matched_from_the_innermost(void **state)
{
    (void)state;
    COVERED("fun: bump");
    COVERED("fun: bump\nfun: one");
    NOT_COVERED("fun: one");
    COVERED("...\nfun: one");
    COVERED("...\nfun: bump");
    NOT_COVERED("fun: bump\nfun: main");
    COVERED("fun: bump\n...\nfun: main");
    NOT_COVERED("fun: bump\nfun: one\nfun: main"); /* longer than the stack */
    COVERED("fun: bump\nfun: one\n...");
    NOT_COVERED("...\nfun: main\nfun: bump");
    COVERED("...\nfun: bump\nfun: ns::*\n...\nfun: main");
}

static void functions_files_and_modules(void **state)
{
    (void)state;
    COVERED("fun: bump\nfun: ns::two");
    COVERED("fun: bump\nfun: ns::two(int, char*) const");
    NOT_COVERED("fun: bump\nfun: two");
    COVERED("file: race.c");
    NOT_COVERED("file: ace.c");
    COVERED("file: app/race.c");
    NOT_COVERED("file: pp/race.c");
    COVERED("file: /src/app/*");
    NOT_COVERED("file: /app/race.c");
    COVERED("...\nfile: lib/*.cc");
    COVERED("...\nobj: libtwo.so*");
    NOT_COVERED("...\nobj: libthree.so*");
    NOT_COVERED("fun: bump\nfun: ns::two\nfile: *\nfun: main"); /* of ? no file is known */
    COVERED("fun: bump\nfun: ns::two\nobj: libc.so.6\nfun: main");
}

static void every_stack_fits_another_one(void **state)
{
    (void)state;
    COVERED("stack:\nfun: bump\nfun: one\nstack:\nfun: bump\nfun: ns::two");
    COVERED("stack:\nfun: bump\nfun: ns::two\nstack:\nfun: bump\nfun: one");
    COVERED("stack:\nfun: bump\nstack:\nfun: bump\nfun: one"); /* the first must not take that one */
    NOT_COVERED("stack:\nfun: bump\nfun: one\nstack:\nfun: bump\nfun: one");
    NOT_COVERED("stack:\nfun: bump\nstack:\nfun: bump\nstack:\nfun: bump");
    NOT_COVERED("stack:\nfun: bump\nstack:\nfun: other");
    COVERED("fun: bump\nstack:\n...\nfun: main");
}

static void the_first_that_covers_counts(void **state)
{
    struct hd_suppressions s = { .n = 0 };
    const struct hd_supp_subject leak = { .kind = HD_FK_LEAK, .message = "" };
    char error[300];

    (void)state;
    assert_true(hd_suppressions_parse(&s, "a", "{\nx\nkind: crash\n}\n{\ny\nkind: le*\n}\n", error, 300));
    assert_true(hd_suppressions_parse(&s, "b", "{\nz\nkind: leak\n}\n", error, 300));
    assert_ptr_equal(hd_suppressions_find(&s, &leak), &s.all[1]);
    assert_true(hd_suppressions_concern(&s, HD_FK_LEAK));
    assert_true(hd_suppressions_concern(&s, HD_FK_CRASH));
    assert_false(hd_suppressions_concern(&s, HD_FK_DATA_RACE));
    hd_suppressions_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(malformed_files_are_refused_with_their_line),
        cmocka_unit_test(files_are_read_or_the_reason_is_told),
        cmocka_unit_test(globs),
        cmocka_unit_test(kinds_variables_and_messages),
        cmocka_unit_test(frames_are_matched_from_the_innermost),
        cmocka_unit_test(functions_files_and_modules),
        cmocka_unit_test(every_stack_fits_another_one),
        cmocka_unit_test(the_first_that_covers_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
