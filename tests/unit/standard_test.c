/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard_test.c - the standard of a translation unit by its compiler's words. */
#include "support/unit.h"

#include "report/names/standard.h"

static void check(const char *producer, enum hd_release_rule rule, bool counts)
{
    bool counted = !counts;

    if (hd_standard_of_unit(producer, &counted) != rule || counted != counts)
        fail_msg("wrong: %s", producer);
}

static void gcc_names_its_standard(void **state)
{
    (void)state;
    check("GNU C++20 12.2.0 -g -std=c++20 -fsanitize=thread", HD_RELEASE_ENDED, true);
    check("GNU C++23 14.1.0 -g -fsanitize=thread", HD_RELEASE_ENDED, true);
    check("GNU C++2a 9.1.0 -g -fsanitize=thread", HD_RELEASE_ENDED, true);
    check("GNU C++17 12.2.0 -g -fsanitize=thread", HD_RELEASE_CONTINUED, true);
    check("GNU C++98 12.2.0 -g -fsanitize=thread", HD_RELEASE_CONTINUED, true);
    check("GNU C17 12.2.0 -g -fsanitize=thread", HD_RELEASE_CONTINUED, true);
    check("GNU C89 12.2.0 -g -fsanitize=thread", HD_RELEASE_CONTINUED, true);
    check("GNU C2X 12.2.0 -g -fsanitize=thread", HD_RELEASE_OPEN, true);
    check("GNU C23 15.1.0 -g -fsanitize=thread", HD_RELEASE_OPEN, true);
}

static void what_is_not_instrumented_does_not_count(void **state)
{
    (void)state;
    check("GNU C17 12.2.0 -mtune=generic -g", HD_RELEASE_CONTINUED, false);
    check("GNU C++20 12.2.0", HD_RELEASE_ENDED, true); /* it does not tell */
    check("GNU AS 2.40", HD_RELEASE_OPEN, false);
    check("rustc version 1.63.0", HD_RELEASE_OPEN, true);
}

static void clang_names_its_options(void **state)
{
    (void)state;
    check("Debian clang version 14.0.6", HD_RELEASE_OPEN, true);
    check("clang version 14.0.6 /bin/clang -g -fsanitize=thread -c a.c", HD_RELEASE_CONTINUED, true);
    check("clang version 99.1.0 /bin/clang -g -fsanitize=thread -c a.c", HD_RELEASE_OPEN, true);
    check("clang version 14.0.6 /bin/clang -g -fsanitize=thread -std=c++11 -std=gnu++20", HD_RELEASE_ENDED, true);
    check("clang version 14.0.6 /bin/clang -O1 -fsanitize=thread -std=gnu++20", HD_RELEASE_OPEN, true);
    check("clang version 14.0.6 /bin/clang -O2 -O0 -fsanitize=thread -std=gnu++20", HD_RELEASE_ENDED, true);
    check("clang version 18.1.0 /bin/clang -O2 -fsanitize=thread -std=c++23", HD_RELEASE_ENDED, true);
    check("clang version 14.0.6 /bin/clang -fsanitize=thread -std=iso9899:2011", HD_RELEASE_CONTINUED, true);
    check("clang version 14.0.6 /bin/clang -fsanitize=thread -std=c2x", HD_RELEASE_OPEN, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gcc_names_its_standard),
        cmocka_unit_test(what_is_not_instrumented_does_not_count),
        cmocka_unit_test(clang_names_its_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
