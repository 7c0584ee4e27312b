/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stale_test.c - the walk that prefers reads, against its exact distribution. */
#include "support/unit.h"

#include "support/chi.h"
#include "support/explorer.h"
#include "support/programs.h"

enum { RUNS = 30000 };

/* ---- the rule, written down a second time -------------------------------------------- */

/* Two threads of operations that read ('r') or write ('w'). */
struct small {
    const char *script[2];
};

static void tally_schedule(struct explorer *x, void *ctx)
{
    uint64_t order = 1;

    for (uint32_t i = 0; i < x->exec.nsteps; i++)
        if (x->exec.decisions[i].chosen != 0) /* main creates them */
            order = order << 1 | (x->exec.decisions[i].chosen == 2);
    chi_count(ctx, order);
}

static double chance_of(const struct small *p, const size_t *pc, unsigned t)
{
    char mine = p->script[t][pc[t]], other = p->script[1 - t][pc[1 - t]];

    if (mine == '\0')
        return 0;
    if (other == '\0')
        return 1;
    if (mine == other)
        return 0.5;
    return mine == 'r' ? 7 / 8.0 + 1 / 16.0 : 1 / 16.0;
}

/* Pearson's sum over all schedules that begin with `order`, of probability `chance`. */
static double compare(const struct small *p, size_t *pc, uint64_t order, double chance,
                      const struct chi_tally *seen)
{
    double sum = 0;

    if (p->script[0][pc[0]] == '\0' && p->script[1][pc[1]] == '\0')
        return chi_term(chi_seen(seen, order), chance, seen->total);
    for (unsigned t = 0; t < 2; t++) {
        double next = chance * chance_of(p, pc, t);

        if (p->script[t][pc[t]] == '\0')
            continue;
        pc[t]++;
        sum += compare(p, pc, order << 1 | t, next, seen);
        pc[t]--;
    }
    return sum;
}

static void sample(const struct program *p, const char *strategy, struct chi_tally *t)
{
    struct explorer x;

    explorer_open(&x, p, strategy, -1, 7);
    x.seen = tally_schedule;
    x.ctx = t;
    explorer_all(&x, RUNS);
    explorer_close(&x);
}

/* C(5,2) = 10 schedules, 9 degrees of freedom; all of them have a probability. */
static void reads_come_early(void **state)
{
    static const struct program p = { .op = {
        { CREATE_ALL(1, 2) }, { READ(0), WRITE(1, 1), READ(2) }, { WRITE(0, 1), READ(1) },
    } };
    static const struct small same = { { "rwr", "wr" } };
    struct chi_tally stale = { .total = 0 }, walk = { .total = 0 };
    size_t pc[2] = { 0, 0 };

    (void)state;
    sample(&p, "stale", &stale);
    sample(&p, "random", &walk);
    assert_int_equal(stale.ncells, 10);
    assert_true(compare(&same, pc, 1, 1, &stale) < 33.7);
    assert_true(compare(&same, pc, 1, 1, &walk) > 10 * 33.7);
}

/* Locks are written, yields touch nothing: no thread is preferred, and what is drawn is
 * what the random walk draws. */
static void without_reads_it_is_the_random_walk(void **state)
{
    static const struct program *const programs[] = { &prog_abba, &prog_three_adds };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        struct explorer stale, walk;

        explorer_open(&stale, programs[i], "stale", -1, 3);
        explorer_open(&walk, programs[i], "random", -1, 3);
        explorer_all(&stale, 500);
        explorer_all(&walk, 500);
        assert_true(explorer_totals(&stale)->trace_hash == explorer_totals(&walk)->trace_hash);
        assert_int_equal(explorer_totals(&stale)->buggy, explorer_totals(&walk)->buggy);
        explorer_close(&stale);
        explorer_close(&walk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_come_early),
        cmocka_unit_test(without_reads_it_is_the_random_walk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
