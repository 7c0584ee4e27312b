/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params_test.c - the tool's table of parameters says what the strategies do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "cli/params.h"
#include "search/core/strategies.h"
#include "search/core/strategy.h"

static bool opens(const char *spec, const char *params)
{
    const size_t size = (size_t)1 << 36; /* sparse, as on the wire */
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct hd_arena arena = { memory, size, 0 };
    struct hd_strategy_cfg cfg = { .bound = -1, .params = params, .arena = &arena,
                                   .plain_events = true,
                                   .reducer = hd_strategy_reducer(spec) };
    void *self = NULL;

    assert_true(memory != MAP_FAILED);
    bool ok = hd_strategy_find(spec)->open(&self, &cfg);

    munmap(memory, size);
    return ok;
}

static void agree(const char *spec, const char *params, bool want)
{
    char error[400];

    if (hd_params_check(spec, params, error, sizeof error) != want)
        fail_msg("the table on %s:%s", spec, params);
    if (opens(spec, params) != want)
        fail_msg("the strategy on %s:%s", spec, params);
}

static void hold_against(const char *spec)
{
    char text[80];

    agree(spec, "", true);
    agree(spec, "nonsense=1", false);
    for (size_t i = 0; i < hd_param_count; i++) {
        const struct hd_param *p = &hd_param_table[i];
        bool has = hd_param_applies(p, spec);

        snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->min);
        agree(spec, text, has);
        snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->max);
        agree(spec, text, has);
        snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->min - 1);
        agree(spec, text, false);
        if (p->max < INT64_MAX) {
            snprintf(text, sizeof text, "%s=%lld", p->key, (long long)p->max + 1);
            agree(spec, text, false);
        }
        snprintf(text, sizeof text, "%s=", p->key);
        agree(spec, text, false);
        snprintf(text, sizeof text, "%s", p->key);
        agree(spec, text, false);
        snprintf(text, sizeof text, "%s=1x", p->key);
        agree(spec, text, false);
    }
}

static void table_and_strategies_agree(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++)
        hold_against(hd_strategies[i]->name);
    hold_against("dfs+cache");
    hold_against("ipb+cache");
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
        cmocka_unit_test(table_and_strategies_agree),
        cmocka_unit_test(mistakes_name_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
