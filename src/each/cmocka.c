/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmocka.c - runs one test of cmocka.  cmocka itself cannot list tests or run only one, but all tests pass through
 * one function, which this file replaces.  In the group of the wanted test only that test is run, with the
 * fixtures of the group; other groups are skipped. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "each/each.h"

typedef int fixture(void **state);

/* struct CMUnitTest of cmocka 1.1 */
struct unit_test {
    const char *name;
    void (*test)(void **state);
    fixture *setup, *teardown;
    void *initial_state;
};

typedef int run_group(const char *group, const struct unit_test *tests, size_t n, fixture *setup,
                      fixture *teardown);

/* "group/test"; a function that is in a group several times, with different states, also gets a
 * number: "group/test#2" */
static void name_of(const char *group, const struct unit_test *tests, size_t i, char *buf, size_t cap)
{
    unsigned nth = 1;

    for (size_t k = 0; k < i; k++)
        nth += tests[k].name != NULL && strcmp(tests[k].name, tests[i].name) == 0;
    if (nth == 1)
        snprintf(buf, cap, "%s/%s", group, tests[i].name);
    else
        snprintf(buf, cap, "%s/%s#%u", group, tests[i].name, nth);
}

HD_EACH_API int _cmocka_run_group_tests(const char *group, const struct unit_test *tests, size_t n,
                                        fixture *setup, fixture *teardown)
{
    run_group *real = (run_group *)hd_each_real("_cmocka_run_group_tests");
    char name[512];

    if (hd_each_mode() == HD_EACH_OFF)
        return real(group, tests, n, setup, teardown);
    for (size_t i = 0; i < n; i++) {
        if (tests[i].name == NULL || tests[i].test == NULL)
            continue;
        name_of(group, tests, i, name, sizeof name);
        if (hd_each_mode() == HD_EACH_LISTS) {
            hd_each_list(name, NULL);
        } else if (hd_each_is_wanted(name)) {
            /* report a failure where it occurs, not by an exit code afterwards */
            setenv("CMOCKA_TEST_ABORT", "1", 0);
            return real(group, &tests[i], 1, setup, teardown);
        }
    }
    return 0;
}
