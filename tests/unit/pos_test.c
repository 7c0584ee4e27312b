/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pos_test.c - partial-order sampling against its exact distribution.
 *
 * The priorities that an execution draws are independent and continuous, so all
 * orders of them are equally likely: running the rule once for every permutation of
 * as many numbers as can be drawn gives each schedule's exact probability. */
#include "support/unit.h"

#include "support/chi.h"
#include "support/explorer.h"
#include "support/programs.h"

/* ---- the rule, written down a second time -------------------------------------------- */

enum { DRAWS = 8 };

struct small { /* two threads of two operations on cells: '0'..'9' writes, 'a'..'j' reads */
    const char *script[2];
};

static bool races(char a, char b)
{
    bool reads_a = a >= 'a', reads_b = b >= 'a';

    return (reads_a ? a - 'a' : a - '0') == (reads_b ? b - 'a' : b - '0') && !(reads_a && reads_b);
}

/* The schedule under priorities that are drawn in that order: one bit per step. */
static uint64_t schedule_of(const struct small *p, const uint8_t *draw)
{
    size_t pc[2] = { 0, 0 };
    uint8_t priority[2] = { draw[0], draw[1] };
    unsigned used = 2;
    uint64_t order = 1;

    while (p->script[0][pc[0]] != '\0' || p->script[1][pc[1]] != '\0') {
        const char *left[2] = { &p->script[0][pc[0]], &p->script[1][pc[1]] };
        unsigned t = *left[0] == '\0' ? 1 : *left[1] == '\0' ? 0 : priority[1] > priority[0];

        order = order << 1 | t;
        pc[t]++;
        if (*left[1 - t] != '\0' && races(*left[0], *left[1])) {
            assert_true(used < DRAWS);
            priority[1 - t] = draw[used++];
        }
        if (left[t][1] != '\0') {
            assert_true(used < DRAWS);
            priority[t] = draw[used++];
        }
    }
    return order;
}

static bool next_permutation(uint8_t *a, int n)
{
    int i = n - 2, j = n - 1;

    while (i >= 0 && a[i] > a[i + 1])
        i--;
    if (i < 0)
        return false;
    while (a[j] < a[i])
        j--;
    uint8_t swap = a[i];

    a[i] = a[j];
    a[j] = swap;
    for (int l = i + 1, r = n - 1; l < r; l++, r--) {
        swap = a[l];
        a[l] = a[r];
        a[r] = swap;
    }
    return true;
}

static void exact(const struct small *p, struct chi_tally *t)
{
    uint8_t draw[DRAWS];

    for (uint8_t i = 0; i < DRAWS; i++)
        draw[i] = i;
    do
        chi_count(t, schedule_of(p, draw));
    while (next_permutation(draw, DRAWS));
}

/* ---- against the strategy -------------------------------------------------------------- */

static void make_program(const struct small *s, struct program *p)
{
    *p = (struct program){ .start = 2 };
    for (int t = 0; t < 2; t++)
        for (int i = 0; s->script[t][i] != '\0'; i++) {
            char c = s->script[t][i];

            p->op[t][i] = c >= 'a' ? (struct prog_op)READ((uint8_t)(c - 'a'))
                                   : (struct prog_op)WRITE((uint8_t)(c - '0'), 1);
        }
}

static void tally_order(struct explorer *x, void *ctx)
{
    uint64_t order = 1;

    for (uint32_t i = 0; i < x->exec.nsteps; i++)
        order = order << 1 | x->exec.decisions[i].chosen;
    chi_count(ctx, order);
}

static double compare(const struct small *s, const char *strategy, const struct chi_tally *want)
{
    struct chi_tally got = { .total = 0 };
    struct program p;
    struct explorer x;
    double sum = 0;

    make_program(s, &p);
    explorer_open(&x, &p, strategy, -1, 3);
    x.seen = tally_order;
    x.ctx = &got;
    explorer_all(&x, 24000);
    for (unsigned i = 0; i < want->ncells; i++)
        sum += chi_term(chi_seen(&got, want->name[i]), (double)want->seen[i] / want->total,
                        got.total);
    explorer_close(&x);
    return sum;
}

/* Six schedules: five degrees of freedom. */
static void schedules_have_their_exact_probability(void **state)
{
    static const struct small programs[] = {
        { { "01", "02" } }, { { "00", "00" } }, { { "12", "34" } }, { { "0a", "a0" } },
        { { "1a", "0a" } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        struct chi_tally want = { .total = 0 };

        exact(&programs[i], &want);
        assert_int_equal(want.ncells, 6);
        double chi = compare(&programs[i], "pos", &want);

        if (chi >= 25.7)
            fail_msg("program %zu: %g", i, chi);
    }
}

/* Without a race the thread that is behind keeps its priority: not the random walk.
 * With every pair racing both threads draw at every point: exactly the random walk. */
static void it_is_a_random_walk_only_where_all_races(void **state)
{
    static const struct small apart = { { "12", "34" } }, together = { { "00", "00" } };
    struct chi_tally want_apart = { .total = 0 }, want_together = { .total = 0 };

    (void)state;
    exact(&apart, &want_apart);
    exact(&together, &want_together);
    assert_true(compare(&apart, "random", &want_apart) > 10 * 25.7);
    assert_true(compare(&together, "random", &want_together) < 25.7);
}

/* n steps of its own, then a write, against one write: the long thread is first iff
 * n+1 draws exceed one, 1/(n+2); a random walk has 1/2^(n+1). */
static void a_long_way_to_a_race_is_no_obstacle(void **state)
{
    static const struct program p = { .start = 2, .op = {
        { READ(1), READ(1), READ(1), READ(1), READ(1), READ(1), WRITE(0, 1) }, { WRITE(0, 2) },
    } };
    struct chi_tally t = { .total = 0 };
    struct explorer x;

    (void)state;
    explorer_open(&x, &p, "pos", -1, 3);
    x.seen = tally_order;
    x.ctx = &t;
    explorer_all(&x, 16000);
    /* 2000 expected; five standard deviations are 209 */
    assert_in_range(chi_seen(&t, (1 << 8) | 1), 1791, 2209);
    explorer_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_have_their_exact_probability),
        cmocka_unit_test(it_is_a_random_walk_only_where_all_races),
        cmocka_unit_test(a_long_way_to_a_race_is_no_obstacle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
