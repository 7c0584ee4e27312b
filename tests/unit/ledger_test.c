/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger_test.c - entries are kept once, with their strongest effect; and what each fact
 * and each effect does to a claim, one row each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/check.h"
#include "campaign/setup/configure.h"
#include "model/fact.h"
#include "report/verdict/claim.h"
#include "report/verdict/ledger_print.h"
#include "report/verdict/missed_probability.h"

static struct hd_ledger ledger, other;

static int empty(void **state)
{
    (void)state;
    memset(&ledger, 0, sizeof ledger);
    memset(&other, 0, sizeof other);
    return 0;
}

static void an_entry_is_kept_once(void **state)
{
    char longest[2 * HD_LEDGER_TEXT];

    (void)state;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    hd_ledger_add(&ledger, HD_MENTIONS, "a");
    hd_ledger_add(&ledger, HD_MENTIONS, longest);
    hd_ledger_add(&ledger, HD_MENTIONS, longest);
    hd_ledger_add(&ledger, HD_DENIES, "a");
    hd_ledger_add(&ledger, HD_QUALIFIES, "a");
    hd_ledger_add(&ledger, HD_MENTIONS, "ab");
    assert_int_equal(hd_ledger_count(&ledger), 3);
    assert_int_equal(hd_ledger_effects(&ledger, HD_DENIES), 1);
    assert_int_equal(hd_ledger_effects(&ledger, HD_QUALIFIES), 0);
    assert_int_equal(hd_ledger_effects(&ledger, HD_MENTIONS), 2);
    assert_int_equal(strlen(ledger.entry[1].text), HD_LEDGER_TEXT - 1);
}

/* What there is no room for still denies. */
static void a_full_ledger_forgets_no_effect(void **state)
{
    (void)state;
    for (unsigned i = 0; i < HD_LEDGER_ROOM; i++) {
        char text[32];

        snprintf(text, sizeof text, "entry %u", i);
        hd_ledger_add(&other, HD_MENTIONS, text);
    }
    hd_ledger_add(&other, HD_DENIES, "one more");
    hd_ledger_merge(&ledger, &other);
    hd_ledger_merge(&ledger, &other);
    assert_int_equal(hd_ledger_count(&ledger), HD_LEDGER_ROOM);
    assert_int_equal(hd_ledger_effects(&ledger, HD_DENIES), 1);
}

/* A target may write anything there. */
static void a_damaged_ledger_is_read_safely(void **state)
{
    (void)state;
    memset(&other, 0xff, sizeof other);
    hd_ledger_merge(&ledger, &other);
    assert_int_equal(hd_ledger_count(&ledger), 1);
    assert_int_equal(hd_entry_effect(&ledger.entry[0]), HD_DENIES);
    assert_int_equal(strlen(ledger.entry[0].text), HD_LEDGER_TEXT - 1);
}

static struct hd_result complete_search(const struct hd_config *c)
{
    return (struct hd_result){ .config = c, .ledger = &ledger, .verdict = HD_VERDICT_CLEAN,
                               .totals = { .executions = 5, .complete = 1, .exhausted = 1, .bound = -1,
                                           .by_depth = 5, .threads_max = 2, .steps_max = 9 } };
}

static const struct {
    bool claims, odds, for_c11;
    int exit_code;
    const char *says;
} effects[] = {
    [HD_DENIES] = { false, false, false, HD_EXIT_BUDGET,
                    "nothing proved: 1 place is not seen (this); 5 executions found nothing" },
    [HD_QUALIFIES] = { true, true, false, HD_EXIT_CLEAN, "1 thing was not controlled" },
    [HD_MENTIONS] = { true, true, true, HD_EXIT_CLEAN, "holds for C11" },
};
_Static_assert(sizeof effects / sizeof *effects == HD_LEDGER_NEFFECTS, "an effect without a row");

static void every_effect_does_what_its_row_says(void **state)
{
    static const char *const strategies[] = { "dfs", "dpor", "dpor-optimal" };
    struct hd_config pct = { .bound = -1 };

    (void)state;
    hd_configure_strategy(&pct, "pct", "");
    for (unsigned k = 0; k < HD_LEDGER_NEFFECTS; k++)
        for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
            struct hd_config c = { .bound = -1, .races = 1 };
            char got[HD_GUARANTEE_TEXT];

            hd_configure_strategy(&c, strategies[i], "");
            empty(NULL);
            hd_ledger_add(&ledger, (enum hd_ledger_effect)k, "this");
            struct hd_result r = complete_search(&c), sampled = complete_search(&pct);

            assert_int_equal(hd_result_complete(&r), effects[k].claims);
            assert_int_equal(hd_missed_probability_apply(&sampled), effects[k].odds);
            assert_int_equal(hd_claim_holds_for_c11(&r), effects[k].for_c11);
            r.verdict = hd_result_complete(&r) ? HD_VERDICT_CLEAN : HD_VERDICT_BUDGET;
            assert_int_equal(hd_verdict_exit_code(r.verdict), effects[k].exit_code);
            hd_result_guarantee(&r, got, sizeof got);
            assert_non_null(strstr(got, effects[k].says));
        }
}

/* Whom a fact that an execution shows concerns.  Facts of the totals and the options come
 * from there, for some searches only. */
enum concern { NONE, REDUCED };
#define CONCERNS(X)                                                                             \
    X(PLAIN_POLL, REDUCED) X(BLIND_POLL, REDUCED) X(UNSEEN_WRITE, REDUCED) X(CANCEL, REDUCED)   \
    X(TIMER, REDUCED) X(IO, REDUCED) X(CLOCK, REDUCED) X(LAST_THREAD, REDUCED)                  \
    X(FUTEX, REDUCED) X(SIGNAL, REDUCED) X(SURPLUS, REDUCED) X(OVERLAP, REDUCED)                \
    X(RANGE, REDUCED) X(FILTERED, REDUCED) X(PRIVATE, REDUCED) X(STATE, REDUCED)                \
    X(OUTPUT, REDUCED) X(ALIAS, REDUCED) X(INVARIANT, REDUCED) X(CHOICE, REDUCED)               \
    X(CYCLE, REDUCED) X(LOOP, REDUCED) X(RACES, REDUCED) X(SUPPRESSED, REDUCED)                 \
    X(IDLE, REDUCED) X(MISLED, REDUCED) X(GRACE, REDUCED) X(SITES, NONE)                        \
    X(CALL_ACCESS, REDUCED) X(MAPPED, REDUCED) X(RETRY_SETS, REDUCED)

static const struct {
    const char *name;
    uint64_t fact;
    enum concern concern;
} facts[] = {
#define CONCERN(name, whom) { #name, HD_FACT_##name, whom },
    CONCERNS(CONCERN)
};
#define CONCERN_BIT(name, whom) | (uint64_t)HD_FACT_##name
_Static_assert((UINT64_C(0) CONCERNS(CONCERN_BIT)) == HD_ALL_FACTS, "a fact without a row");

static void every_fact_takes_the_claim_that_it_concerns(void **state)
{
    struct hd_config dfs = { .bound = -1, .races = 1 }, dpor = { .bound = -1, .races = 1 };

    (void)state;
    hd_configure_strategy(&dfs, "dfs", "");
    hd_configure_strategy(&dpor, "dpor", "");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct hd_result all = complete_search(&dfs), reduced = complete_search(&dpor);
        uint64_t gaps = facts[i].fact;

        all.totals.facts = reduced.totals.facts = facts[i].fact;
        if (hd_result_complete(&all) != (facts[i].concern == REDUCED))
            fail_msg("%s and a search that is not reduced", facts[i].name);
        if (hd_result_complete(&reduced))
            fail_msg("%s and a reduced search", facts[i].name);
        assert_non_null(hd_claim_next_reason(&gaps));
        assert_int_equal(gaps, 0);
    }
}

static void a_verdict_names_the_first_three(void **state)
{
    static const char *const text[] = { "a", "b", "c", "d" };
    char got[HD_LEDGER_SENTENCE];

    (void)state;
    hd_ledger_sentence(&ledger, got, sizeof got);
    assert_string_equal(got, "");
    hd_ledger_add(&ledger, HD_MENTIONS, "no denial");
    for (size_t i = 0; i < 4; i++)
        hd_ledger_add(&ledger, HD_DENIES, text[i]);
    hd_ledger_sentence(&ledger, got, sizeof got);
    assert_string_equal(got, "4 places are not seen (a; b; c; and others)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_entry_is_kept_once, empty),
        cmocka_unit_test_setup(a_full_ledger_forgets_no_effect, empty),
        cmocka_unit_test_setup(a_damaged_ledger_is_read_safely, empty),
        cmocka_unit_test_setup(every_effect_does_what_its_row_says, empty),
        cmocka_unit_test_setup(every_fact_takes_the_claim_that_it_concerns, empty),
        cmocka_unit_test_setup(a_verdict_names_the_first_three, empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
