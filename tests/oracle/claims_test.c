/* SPDX-License-Identifier: BSD-2-Clause
 *
 * claims_test.c - every strategy that claims to be complete is judged on random
 * programs of every family.  To judge a new one, add its line to `claims`.
 *
 * HEDDLE_ORACLE_PROGRAMS  how many per family (make check-deep: 10,000)
 * HEDDLE_ORACLE_FAMILY    only this one
 * HEDDLE_ORACLE_STRATEGY  only this one
 * HEDDLE_ORACLE_FIRST     number of the first program
 * HEDDLE_ORACLE_SEED      other programs */
#include "support/unit.h"

#include "oracle/judge.h"
#include "search/core/strategy.h"

#define UP_TO_2(spec, promises, cost) \
    { spec, promises, cost, 0 }, { spec, promises, cost, 1 }, { spec, promises, cost, 2 }

#define UP_TO_3(spec, promises) \
    UP_TO_2(spec, promises, JUDGE_PREEMPTIONS), { spec, promises, JUDGE_PREEMPTIONS, 3 }

static const struct judge_claim claims[] = {
    { "dpor-optimal", JUDGE_CLASSES | JUDGE_LAZY | JUDGE_STATES | JUDGE_ONCE | JUDGE_LEAN, 0, 0 },
    { "dpor-optimal:check=1", JUDGE_CLASSES | JUDGE_ONCE | JUDGE_LEAN, 0, 0 },
    /* what a section touched is forgotten soon, or at once */
    { "dpor-optimal:remember=50", JUDGE_CLASSES | JUDGE_ONCE, 0, 0 },
    { "dpor-optimal:remember=0", JUDGE_CLASSES | JUDGE_ONCE, 0, 0 },
    { "dpor", JUDGE_CLASSES | JUDGE_ONCE, 0, 0 },
    { "dpor-classic", JUDGE_CLASSES | JUDGE_ONCE, 0, 0 },
    { "dpor-classic:sleep=0", JUDGE_CLASSES | JUDGE_LEAN, 0, 0 },
    { "dpor-lazy", JUDGE_STATES, 0, 0 },
    { "dfs", JUDGE_CLASSES | JUDGE_LEAN, 0, 0 },
    UP_TO_2("ipb", JUDGE_CLASSES | JUDGE_EXACT, JUDGE_PREEMPTIONS),
    UP_TO_2("idb", JUDGE_CLASSES | JUDGE_EXACT, JUDGE_DELAYS),
    UP_TO_3("bpor-lazy", JUDGE_CLASSES | JUDGE_STATES | JUDGE_ONCE | JUDGE_EXACT),
    /* a lower bound in the place of the exact number */
    UP_TO_2("bpor-lazy:cells=0", JUDGE_CLASSES | JUDGE_ONCE, JUDGE_PREEMPTIONS),
    UP_TO_2("bpor-lazy:cells=60", JUDGE_CLASSES | JUDGE_ONCE, JUDGE_PREEMPTIONS),
    UP_TO_3("bpor", JUDGE_CLASSES | JUDGE_EXACT),
    UP_TO_3("bpor-source", JUDGE_CLASSES | JUDGE_EXACT),
    /* it does miss classes, so it must not say "complete" then */
    UP_TO_3("bpor-naive", JUDGE_CLASSES | JUDGE_ONCE | JUDGE_EXACT | JUDGE_HONEST),
    { "dfs+cache:cache=16", JUDGE_CLASSES | JUDGE_ONCE, 0, 0 },
    UP_TO_2("ipb+cache:cache=16", JUDGE_CLASSES | JUDGE_EXACT | JUDGE_ONCE, JUDGE_PREEMPTIONS),
    UP_TO_2("idb+cache:cache=16", JUDGE_CLASSES | JUDGE_EXACT | JUDGE_ONCE, JUDGE_DELAYS),
    { "dfs+lazycache:cache=16", JUDGE_STATES, 0, 0 },
    { "ipb+lazycache:cache=16", JUDGE_STATES, JUDGE_PREEMPTIONS, 1 },
    { "idb+lazycache:cache=16", JUDGE_STATES, JUDGE_DELAYS, 1 },
};

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *n = getenv(name);

    return n != NULL ? strtoull(n, NULL, 10) : otherwise;
}

static size_t chosen_claims(struct judge_claim *out)
{
    const char *only = getenv("HEDDLE_ORACLE_STRATEGY");
    size_t n = 0;

    for (size_t i = 0; i < COUNT_OF(claims); i++)
        if (only == NULL || strcmp(only, claims[i].spec) == 0)
            out[n++] = claims[i];
    return n;
}

static uint64_t broken_in(enum generate_family f, const struct judge_claim *chosen, size_t n)
{
    struct judgement j[COUNT_OF(claims)] = { 0 };
    const char *deep = getenv("HEDDLE_DEEP");
    uint64_t programs = number("HEDDLE_ORACLE_PROGRAMS",
                               deep != NULL && deep[0] == '1' ? 10000 : 150);
    uint64_t broken = 0;

    judge_family(j, f, number("HEDDLE_ORACLE_SEED", 1), number("HEDDLE_ORACLE_FIRST", 0), programs,
                 chosen, n, 2);
    for (size_t i = 0; i < n; i++) {
        judge_print(stdout, &j[i], generate_name(f), &chosen[i]);
        broken += j[i].broken;
        /* large programs that are left out should not be missed */
        assert_true(j[i].programs == programs && j[i].skipped <= 1 + programs / 10);
    }
    fflush(stdout);
    return broken;
}

/* All families, then the verdict: one that fails should not hide the others. */
static void every_strategy_keeps_its_promises(void **state)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");
    struct judge_claim chosen[COUNT_OF(claims)];
    size_t n = chosen_claims(chosen);
    uint64_t broken = 0;

    (void)state;
    assert_true(n > 0);
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        if (only == NULL || strcmp(only, generate_name(f)) == 0)
            broken += broken_in(f, chosen, n);
    EXPECT_EQ("programs for which a promise was broken", broken, 0);
}

static bool is_judged(const char *name, unsigned promise)
{
    for (size_t i = 0; i < COUNT_OF(claims); i++)
        if (strcmp(claims[i].spec, name) == 0 && (claims[i].promises & promise) &&
            !(claims[i].promises & JUDGE_HONEST))
            return true;
    return false;
}

static void every_declared_coverage_is_judged(void **state)
{
    (void)state;
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        const struct hd_traits *t = &hd_strategies[i]->traits;

        if (t->coverage > HD_COVERS_NOTHING &&
            !is_judged(hd_strategies[i]->name, hd_traits_is_lazy(t) ? JUDGE_STATES : JUDGE_CLASSES))
            fail_msg("%s claims what no line of `claims` judges", hd_strategies[i]->name);
        if (t->counts_classes && !is_judged(hd_strategies[i]->name, JUDGE_ONCE))
            fail_msg("%s: nobody judges that it counts classes", hd_strategies[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_declared_coverage_is_judged),
        cmocka_unit_test(every_strategy_keeps_its_promises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
