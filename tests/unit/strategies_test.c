/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategies_test.c - the registry and the reading of parameters. */
#include "support/unit.h"

#include "search/core/strategy.h"

static void every_strategy_is_found_by_its_name(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        assert_ptr_equal(hd_strategy_find(hd_strategies[i]->name), hd_strategies[i]);
        assert_non_null(hd_strategies[i]->summary);
    }
    assert_null(hd_strategy_find("no-such-strategy"));
    assert_null(hd_strategy_find(""));
}

static void a_reducer_follows_the_name(void **state)
{
    static const struct { const char *name; enum hd_reducer want; } rows[] = {
        { "dfs", HD_REDUCE_NONE },           { "dfs+cache", HD_REDUCE_CACHE },
        { "ipb+lazycache", HD_REDUCE_LAZYCACHE }, { "dfs+", HD_REDUCE_UNKNOWN },
        { "dfs+cach", HD_REDUCE_UNKNOWN },   { "dfs+caches", HD_REDUCE_UNKNOWN },
        { "dfs+cache+lazycache", HD_REDUCE_UNKNOWN }, { "dfs+cache+cache", HD_REDUCE_UNKNOWN },
    };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        EXPECT_EQ(rows[r].name, hd_strategy_reducer(rows[r].name), rows[r].want);
    assert_ptr_equal(hd_strategy_find("idb+cache"), hd_strategy_find("idb"));
    assert_null(hd_strategy_find("df+cache"));
    assert_null(hd_strategy_find("dfsx+cache"));
    assert_ptr_equal(hd_strategy_find("pct:d=2"), hd_strategy_find("pct"));
    EXPECT_EQ("with parameters", hd_strategy_reducer("dfs+cache:cache=9"), HD_REDUCE_CACHE);
    EXPECT_EQ("in parameters", hd_strategy_reducer("dfs:a=+cache"), HD_REDUCE_NONE);
}

static void only_enumerations_take_reducers(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        const char *name = hd_strategies[i]->name;
        bool want = strcmp(name, "dfs") == 0 || strcmp(name, "ipb") == 0 || strcmp(name, "idb") == 0;

        EXPECT_EQ(name, hd_strategies[i]->reducible, want);
    }
}

static const struct {
    const char *params, *key;
    int64_t want;
    bool ok;
} values[] = {
    { "", "d", 9, true },
    { "d=3", "d", 3, true },
    { "demote=1,d=12", "d", 12, true },
    { "dd=1", "d", 9, false },
    { "d=-4", "d", -4, true },
    { "d=-5", "d", -5, false },
    { "d=", "d", 9, false },
    { "d=x", "d", 9, false },
    { "d=3x", "d", 9, false },
    { "d=99999999999999999999", "d", 9, false },
};

static void values_are_numbers(void **state)
{
    static const struct hd_param table[] = { { "demote", 0, 1, 0, "" }, { "d", -4, 12, 9, "" }, { .key = NULL } };
    const struct hd_strategy_ops ops = { .params = table };

    (void)state;
    for (size_t r = 0; r < COUNT_OF(values); r++) {
        bool ok = hd_strategy_accepts(&ops, HD_REDUCE_NONE, values[r].params);
        int64_t got = hd_param_value(table, values[r].params, values[r].key);

        if (got != values[r].want || ok != values[r].ok)
            fail_msg("\"%s\": %lld %d", values[r].params, (long long)got, ok);
    }
}

static void unknown_keys_are_noticed(void **state)
{
    static const struct hd_param table[] = { { "d", 0, 9, 9, "" }, { "demote", 0, 1, 0, "" }, { .key = NULL } };
    const struct hd_strategy_ops two = { .params = table }, none = { .params = NULL };

    (void)state;
    assert_true(hd_strategy_accepts(&none, HD_REDUCE_NONE, ""));
    assert_true(hd_strategy_accepts(&two, HD_REDUCE_NONE, "demote=1,d=2"));
    assert_false(hd_strategy_accepts(&two, HD_REDUCE_NONE, "d=1,depth=2"));
    assert_false(hd_strategy_accepts(&two, HD_REDUCE_NONE, "d"));
    assert_false(hd_strategy_accepts(&none, HD_REDUCE_NONE, "d=1"));
    assert_false(hd_strategy_accepts(&none, HD_REDUCE_NONE, "cache=1"));
    assert_true(hd_strategy_accepts(&none, HD_REDUCE_CACHE, "cache=1"));
}

static const struct {
    const char *strategy, *params;
    bool ok;
} opens[] = {
    { "random", "", true },   { "random", "d=1", false }, { "pct", "d=1", true },
    { "pct", "d=0", false },  { "pct", "d=65", false },   { "pct", "d=2,demote=1", true },
    { "pct", "demote=2", false }, { "dfs", "", true },    { "dfs", "finish=1", false },
    { "dpor-classic", "sleep=0", true }, { "dpor-classic", "sleep=2", false },
    { "dpor-lazy", "sleep=0", false }, { "dpor", "sleep=0", false },
    { "ipb", "finish=1", true },  { "idb", "finish=7", false }, { "replay", "x=1", false },
    { "ppct", "d=4", true },  { "ppct", "d=0", false },   { "ppct", "demote=1", false },
    { "pos", "", true },      { "pos", "d=1", false },    { "surw", "", true },
    { "surw", "object=2", true }, { "surw", "object=65", false }, { "surw", "all=2", false },
    { "surw", "profile=0", false }, { "surw", "profile=9,all=1", true },
    { "stale", "", true },    { "stale", "d=1", false },  { "mix", "", true },
    { "mix", "d=5", true },   { "mix", "d=0", false },    { "mix", "demote=1", false },
    { "maple", "", true },    { "maple", "profile=0", false }, { "maple", "window=17", false },
    { "maple", "tries=3,window=16", true }, { "probe", "", true },    { "probe", "d=1", false },
};

static void strategies_refuse_what_they_do_not_understand(void **state)
{
    static unsigned char memory[1 << 21] __attribute__((aligned(64)));

    (void)state;
    for (size_t r = 0; r < COUNT_OF(opens); r++) {
        struct hd_arena arena = { memory, UINT64_C(1) << 40, 0 };
        struct hd_strategy_cfg cfg = { .bound = -1, .params = opens[r].params, .arena = &arena };
        void *self = NULL;

        memset(memory, 0, sizeof memory);
        const struct hd_strategy_ops *ops = hd_strategy_find(opens[r].strategy);

        if ((hd_strategy_accepts(ops, cfg.reducer, cfg.params) && ops->open(&self, &cfg)) != opens[r].ok)
            fail_msg("%s:%s", opens[r].strategy, opens[r].params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy_is_found_by_its_name),
        cmocka_unit_test(a_reducer_follows_the_name),
        cmocka_unit_test(only_enumerations_take_reducers),
        cmocka_unit_test(values_are_numbers),
        cmocka_unit_test(unknown_keys_are_noticed),
        cmocka_unit_test(strategies_refuse_what_they_do_not_understand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
