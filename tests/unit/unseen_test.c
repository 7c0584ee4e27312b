/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_test.c - the scans that are kept for the next search: the same result for the same file,
 * and a new scan for a file that was replaced. */
#include "support/unit.h"

#include <unistd.h>

#include "base/memory.h"
#include "program/unseen.h"

static char directory[] = "/tmp/heddle-unseen-XXXXXX";
static char program[64];

/* Links a program with a function `name` that writes shared memory.  Skips the test without a compiler. */
static void make(const char *name)
{
    char command[512];

    snprintf(command, sizeof command,
             "echo 'int shared; __attribute__((noinline)) void %s(void) { shared = 1; } int main(void) { %s(); }' | "
             "cc -O1 -x c -o %s.new - && mv %s.new %s",
             name, name, program, program, program);
    if (system(command) != 0)
        skip();
}

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(program, sizeof program, "%s/program", directory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(program);
    return rmdir(directory);
}

/* The names of the unseen functions of the program itself. */
static char *names(void)
{
    struct hd_unseen_objects o;
    static struct hd_elf_info info;
    char *text = hd_zeroed(1, 256);

    assert_true(hd_elf_inspect(program, &info));
    hd_unseen_open(&o, &info);
    assert_true(o.n >= 1 && o.object[0].scan.readable);
    hd_unseen_names(&o.object[0].scan, text, 256);
    hd_unseen_close(&o);
    return text;
}

static void a_kept_scan_is_the_same(void **state)
{
    char *first, *second;

    (void)state;
    make("bump");
    first = names();
    assert_non_null(strstr(first, "bump"));
    second = names();
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void a_replaced_file_is_scanned_again(void **state)
{
    char *first, *second;

    (void)state;
    make("bump");
    first = names();
    make("leap");
    second = names();
    assert_non_null(strstr(second, "leap"));
    assert_null(strstr(second, "bump"));
    free(first);
    free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kept_scan_is_the_same),
        cmocka_unit_test(a_replaced_file_is_scanned_again),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
