/* SPDX-License-Identifier: BSD-2-Clause
 *
 * traits_test.c - what a strategy may claim follows from what it declares, whatever its name. */
#include "support/unit.h"

#include "campaign/setup/configure.h"
#include "report/verdict/claim.h"
#include "search/core/strategy.h"

/* Names of sound strategies, of families of them, and of none. */
static const char *const names[] = { "dfs", "dpor", "dpor-newest", "bpor-lazy", "ipb", "dfs+cache",
                                     "random", "xyzzy", "" };

/* A search that says of itself that it was complete. */
static struct hd_result finished(struct hd_config *c, const char *name, struct hd_traits traits)
{
    *c = (struct hd_config){ .bound = -1, .races = HD_RACES_ON, .traits = traits };
    snprintf(c->strategy, sizeof c->strategy, "%s", name);
    return (struct hd_result){ .config = c, .verdict = HD_VERDICT_BUDGET,
                               .totals = { .executions = 5, .complete = 1, .exhausted = 1, .bound = -1 } };
}

static void a_strategy_that_declares_nothing_claims_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct hd_config c;
        struct hd_result r = finished(&c, names[i], (struct hd_traits){ 0 });
        char got[HD_GUARANTEE_TEXT];

        assert_false(hd_result_complete(&r));
        assert_true(hd_claim_is_reduced(&r)); /* the runtime gives it all that a reduction needs */
        hd_result_guarantee(&r, got, sizeof got);
        assert_string_equal(got, "nothing proved: 5 executions found nothing; the strategy does not "
                                 "claim to explore everything");
    }
}

static void a_bound_alone_claims_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct hd_config c;
        struct hd_result r = finished(&c, names[i], (struct hd_traits){ .bound = HD_BOUND_PREEMPTIONS });
        char got[HD_GUARANTEE_TEXT];

        r.totals.bound = 3;
        assert_false(hd_result_complete(&r));
        hd_result_guarantee(&r, got, sizeof got);
        assert_null(strstr(got, "verified"));
        r.totals.complete = r.totals.exhausted = 0;
        hd_result_guarantee(&r, got, sizeof got);
        assert_null(strstr(got, "verified")); /* smaller bounds may not be finished */
    }
}

/* What each coverage allows: a claim, one in spite of a fact that reductions have no model of, and
 * one for C11. */
static const struct {
    enum hd_coverage coverage;
    bool claims, despite_facts, for_c11;
} rows[] = {
    { HD_COVERS_NOTHING, false, false, false },
    { HD_COVERS_STATES, true, false, false },
    { HD_COVERS_CLASSES, true, false, true },
    { HD_COVERS_SCHEDULES, true, true, true },
};

static void coverage_decides_and_not_the_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t k = 0; k < COUNT_OF(rows); k++) {
            struct hd_config c;
            struct hd_result r = finished(&c, names[i], (struct hd_traits){ .coverage = rows[k].coverage });
            char got[HD_GUARANTEE_TEXT];

            EXPECT_EQ(names[i], hd_result_complete(&r), rows[k].claims);
            r.verdict = rows[k].claims ? HD_VERDICT_CLEAN : HD_VERDICT_BUDGET;
            hd_result_guarantee(&r, got, sizeof got);
            EXPECT_EQ(names[i], strstr(got, "holds for C11") != NULL, rows[k].for_c11);
            r.totals.facts = HD_FACT_CANCEL;
            EXPECT_EQ(names[i], hd_result_complete(&r), rows[k].despite_facts);
        }
}

static void what_travels_is_what_was_declared(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        struct hd_config c = { .bound = -1 };

        hd_configure_strategy(&c, hd_strategies[i]->name, "");
        assert_memory_equal(&c.traits, &hd_strategies[i]->traits, sizeof c.traits);
    }
    struct hd_traits unknown = hd_strategy_traits("dpor-newest");

    EXPECT_EQ("unknown", unknown.coverage, HD_COVERS_NOTHING);
    EXPECT_EQ("dfs+cache", hd_strategy_traits("dfs+cache").coverage, HD_COVERS_CLASSES);
    EXPECT_EQ("dfs+lazycache", hd_strategy_traits("dfs+lazycache:cache=1").coverage, HD_COVERS_STATES);
    EXPECT_EQ("dfs+magic", hd_strategy_traits("dfs+magic").coverage, HD_COVERS_NOTHING);
    EXPECT_EQ("bpor-naive", hd_strategy_traits("bpor-naive").coverage, HD_COVERS_NOTHING);
}

static void declarations_fit_together(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        const struct hd_traits *t = &hd_strategies[i]->traits;
        const char *name = hd_strategies[i]->name;

        if (hd_traits_samples(t) || t->recorded)
            EXPECT_EQ(name, t->coverage, HD_COVERS_NOTHING);
        if (t->deepens != HD_DEEPENS_NEVER)
            assert_true(t->bound != HD_BOUND_NONE);
        if (t->counts_classes)
            EXPECT_EQ(name, t->coverage, HD_COVERS_CLASSES);
        if (hd_strategies[i]->reducible)
            EXPECT_EQ(name, t->coverage, HD_COVERS_SCHEDULES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strategy_that_declares_nothing_claims_nothing),
        cmocka_unit_test(a_bound_alone_claims_nothing),
        cmocka_unit_test(coverage_decides_and_not_the_name),
        cmocka_unit_test(what_travels_is_what_was_declared),
        cmocka_unit_test(declarations_fit_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
