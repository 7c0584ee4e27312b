/* SPDX-License-Identifier: BSD-2-Clause
 *
 * criterion.c - a test program of Criterion with fixtures, parameters, old and new assertions,
 * and tests that are not to be run here. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <signal.h>
#include <stdlib.h>

#include "counter.h"

static int ready;

static void set_up(void) { ready++; }
static void tear_down(void) { cr_assert_eq(ready, 1); }

TestSuite(fixed, .init = set_up, .fini = tear_down);
Test(fixed, is_ready) { cr_assert_eq(ready, 1); }

Test(counter, loses_updates) { cr_assert_eq(count_with(2), 2); }
Test(counter, loses_updates_new) { cr_assert(eq(int, count_with(2), 2)); }
Test(counter, loses_updates_expect) { cr_expect_eq(count_with(2), 2); }
Test(counter, counts_alone) { cr_assert(eq(int, count_with(1), 1)); }
Test(counter, skips) { cr_skip_test("not today"); }
Test(counter, disabled, .disabled = true) { abort(); }
Test(counter, crashes, .signal = SIGSEGV) { *(volatile int *)0 = 1; }
Test(counter, exits, .exit_code = 3) { exit(3); }

struct number { int n; };

ParameterizedTestParameters(counter, counts)
{
    static struct number numbers[] = { { 1 }, { 2 } };

    return cr_make_param_array(struct number, numbers, 2);
}

ParameterizedTest(struct number *p, counter, counts) { cr_assert_eq(count_with(p->n), p->n); }
