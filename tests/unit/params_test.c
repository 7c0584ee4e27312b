/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params_test.c - the command line and the search accept the parameters of the strategies' tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "campaign/setup/baselines.h"
#include "cli/params.h"
#include "search/core/strategies.h"
#include "search/core/strategy.h"

static void expect(const char *spec, const char *params, bool want)
{
    char error[400];

    if (hd_params_check(spec, params, error, sizeof error) != want)
        fail_msg("the command line on %s:%s", spec, params);
    if (hd_strategy_accepts(hd_strategy_find(spec), hd_strategy_reducer(spec), params) != want)
        fail_msg("the search on %s:%s", spec, params);
}

/* Values of a parameter that the strategy of spec has, or has not. */
static void check_row(const char *spec, const struct hd_param *p, bool has)
{
    char text[80];

    snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->min);
    expect(spec, text, has);
    snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->max);
    expect(spec, text, has);
    snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->min - 1);
    expect(spec, text, false);
    if (p->max < INT64_MAX) {
        snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->max + 1);
        expect(spec, text, false);
    }
    snprintf(text, sizeof text, "%s=", p->key);
    expect(spec, text, false);
    snprintf(text, sizeof text, "%s", p->key);
    expect(spec, text, false);
    snprintf(text, sizeof text, "%s=1x", p->key);
    expect(spec, text, false);
}

static void check_tables(const char *spec)
{
    const struct hd_param *tables[HD_PARAM_TABLES];
    static const struct hd_param other = { .key = "nonsense", .max = 9 };

    expect(spec, "", true);
    check_row(spec, &other, false);
    if (hd_strategy_reducer(spec) == HD_REDUCE_NONE)
        check_row(spec, &hd_reducer_params[0], false);
    hd_params_tables(spec, tables);
    for (int i = 0; i < HD_PARAM_TABLES; i++)
        for (const struct hd_param *p = tables[i]; p != NULL && p->key != NULL; p++)
            if (p->help != NULL)
                check_row(spec, p, true);
}

/* The help of a parameter names its default, which is in its range. */
static void check_help(const struct hd_param *p)
{
    char text[40];

    for (; p != NULL && p->key != NULL; p++) {
        assert_true(p->fallback >= p->min && p->fallback <= p->max);
        snprintf(text, sizeof text, "(%lld)", (long long)p->fallback);
        if (p->help != NULL && strstr(p->help, text) == NULL)
            fail_msg("%s: the help does not say %s", p->key, text);
    }
}

static void help_names_the_default(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++)
        check_help(hd_strategies[i]->params);
    for (const struct hd_baseline *b = hd_baselines; b->name != NULL; b++)
        check_help(b->params);
    check_help(hd_reducer_params);
}

static void only_what_is_in_the_tables_is_accepted(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++)
        check_tables(hd_strategies[i]->name);
    check_tables("dfs+cache");
    check_tables("ipb+cache");
}

static void mistakes_name_the_remedy(void **state)
{
    char error[400];

    (void)state;
    assert_false(hd_params_check("dfs+cache", "cache=0", error, sizeof error));
    assert_string_equal(error, "cache=0: cache wants a whole number, 1 to 16384");
    assert_false(hd_params_check("pct", "d=3,depth=1", error, sizeof error));
    assert_string_equal(error, "strategy pct has no parameter 'depth'; there are d (1 to 64), "
                               "demote (0 or 1)");
    assert_false(hd_params_check("random", "d=1", error, sizeof error));
    assert_string_equal(error, "strategy random has no parameters; leave ':d=1' out");
    assert_false(hd_params_check("ipb", "finish", error, sizeof error));
    assert_string_equal(error, "'finish' wants a value: finish=N");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_in_the_tables_is_accepted),
        cmocka_unit_test(help_names_the_default),
        cmocka_unit_test(mistakes_name_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
