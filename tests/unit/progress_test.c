/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress_test.c - the line that is shown while a search runs. */
#include "support/unit.h"

#include "status/approximate.h"
#include "status/progress.h"

static const struct {
    double n;
    const char *want;
} numbers[] = {
    { 0, "0" }, { 6, "6" }, { 99.4, "99" }, { 99.6, "100" }, { 184, "180" }, { 996, "1,000" },
    { 1234, "1,200" }, { 99999, "100,000" }, { 987654, "990,000" }, { 999999, "1.0 million" },
    { 3449999, "3.4 million" }, { 34e6, "34 million" }, { 345e6, "350 million" },
    { 2.55e9, "2.6 billion" }, { 4e11, "400 billion" }, { 2.14e15, "2.1e+15" },
};

static const struct {
    double seconds;
    const char *want;
} times[] = {
    { 0.2, "less than 1 s" }, { 0.96, "about 1 s" }, { 45, "about 45 s" }, { 89, "about 89 s" },
    { 90, "about 2 min" }, { 3600, "about 60 min" }, { 7200, "about 2 h" },
    { 86400, "about 24 h" }, { 10 * 86400, "about 10 days" }, { 304 * 86400.0, "about 300 days" },
    { 3 * 31557600.0, "about 3 years" }, { 1e18, "more than 1,000 years" },
};

static void numbers_are_rounded_to_what_is_known(void **state)
{
    char got[HD_ABOUT];

    (void)state;
    for (size_t r = 0; r < COUNT_OF(numbers); r++) {
        hd_about_number(numbers[r].n, got);
        assert_string_equal(got, numbers[r].want);
    }
    for (size_t r = 0; r < COUNT_OF(times); r++) {
        hd_about_time(times[r].seconds, got);
        assert_string_equal(got, times[r].want);
    }
}

static const struct {
    struct hd_totals t;
    double seconds;
    const char *want;
} lines[] = {
    /* a random search: nothing is known of any end */
    { { .executions = 500, .begun = 500, .bound = -1 }, 10, "10s: 500 executions (50/s), 0 findings" },
    /* a quarter after 10 seconds: 30 are left */
    { { .executions = 500, .begun = 500, .bound = -1, .explored = 0.25 }, 10,
      "10s: 500 of ~2,000 executions, about 30 s left (50/s), 0 findings" },
    { { .executions = 3, .begun = 3, .bound = -1, .explored = 0.25 }, 10,
      "10s: 3 of ~? executions (50/s), 0 findings" },
    { { .executions = 500, .begun = 500, .bound = -1, .explored = 0.25 }, 0.5,
      "0s: 500 of ~? executions (50/s), 0 findings" },
    { { .executions = 40, .begun = 50, .bound = 2, .explored = 0.25 }, 10,
      "10s: 40 executions (50/s), bound 2 (~25% of it), 0 findings" },
    /* nothing has begun: not even that there is a bound is known */
    { { .executions = 0 }, 10, "10s: 0 executions (50/s), 0 findings" },
    { { .executions = 40, .begun = 40, .bound = -1, .explored = 1, .exhausted = 1 }, 10,
      "10s: 40 executions (50/s), 0 findings" },
};

static void the_line_tells_how_much_is_left(void **state)
{
    const struct hd_progress_view view = { .rate = 50 };
    char got[256];

    (void)state;
    for (size_t r = 0; r < COUNT_OF(lines); r++) {
        hd_progress_line(&view, &lines[r].t, 0, lines[r].seconds, got, sizeof got);
        assert_string_equal(got, lines[r].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_rounded_to_what_is_known),
        cmocka_unit_test(the_line_tells_how_much_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
