/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmocka.c - a test program of cmocka: two groups with fixtures, one function twice, mocked
 * assertions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "counter.h"

static int ready;

static int set_up(void **state)
{
    (void)state;
    ready++;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return --ready;
}

static void loses_updates(void **state)
{
    (void)state;
    assert_int_equal(count_with(2), 2);
}

static void counts(void **state)
{
    assert_int_equal(count_with(*(int *)*state), *(int *)*state);
    assert_int_equal(ready, 1);
}

static void is_not_ready(void **state)
{
    (void)state;
    assert_int_equal(ready, 0);
}

static void checks(int x) { mock_assert(x > 0, "x > 0", __FILE__, __LINE__); }

static void fails_as_expected(void **state)
{
    (void)state;
    expect_assert_failure(checks(0));
}

static void skips(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    static int one = 1, two = 2;
    const struct CMUnitTest with_fixture[] = {
        cmocka_unit_test(loses_updates),
        cmocka_unit_test_prestate(counts, &one),
        cmocka_unit_test_prestate(counts, &two),
    };
    const struct CMUnitTest plain[] = {
        cmocka_unit_test(is_not_ready),
        cmocka_unit_test(fails_as_expected),
        cmocka_unit_test(skips),
    };

    return cmocka_run_group_tests(with_fixture, set_up, tear_down) +
           cmocka_run_group_tests(plain, NULL, NULL);
}
