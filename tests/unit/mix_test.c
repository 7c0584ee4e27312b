/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mix_test.c - whose turn it is, and that a sampler in the mix does what it does alone.
 *
 * An execution of the mix is known again by its schedule: each sampler, asked alone for
 * the execution with the same index, draws the same.  The program has so many schedules
 * that two samplers hardly ever agree by chance. */
#include "support/unit.h"

#include "support/explorer.h"
#include "support/programs.h"

enum { BLOCK = 16, BLOCKS = 20, LAST = BLOCK * BLOCKS, PROFILE = 3 };

/* Every execution has as many steps, and 15!/(5!)^3 = 756,756 schedules. */
static const struct program wide = { .op = {
    { CREATE_ALL(1, 3) },
    { READ(0), WRITE(0, 1), READ(1), WRITE(1, 1), READ(2) },
    { READ(1), WRITE(0, 2), READ(0), WRITE(2, 2), READ(2) },
    { WRITE(2, 3), READ(0), WRITE(1, 3), READ(1), WRITE(0, 3) },
} };

static void execute(struct explorer *x, uint64_t index)
{
    x->campaign.totals[x->campaign.current & 1].begun = index;
    explorer_all(x, index + 1);
}

static bool same_schedule(const struct explorer *a, const struct explorer *b)
{
    if (a->exec.nsteps != b->exec.nsteps)
        return false;
    for (uint32_t i = 0; i < a->exec.nsteps; i++)
        if (a->exec.decisions[i].chosen != b->exec.decisions[i].chosen)
            return false;
    return true;
}

/* The samplers, each alone: those that learn have learnt what they learn of `wide`. */
struct alone {
    struct explorer stale, surw, pos, pct;
};

static void open_alone(struct alone *a, const char *pct, uint64_t seed)
{
    explorer_open(&a->stale, &wide, "stale", -1, seed);
    explorer_open(&a->pos, &wide, "pos", -1, seed);
    explorer_open(&a->surw, &wide, "surw", -1, seed);
    explorer_open(&a->pct, &wide, pct, -1, seed);
    explorer_all(&a->surw, PROFILE);
    explorer_all(&a->pct, 1);
}

static void close_alone(struct alone *a)
{
    explorer_close(&a->stale);
    explorer_close(&a->pos);
    explorer_close(&a->surw);
    explorer_close(&a->pct);
}

/* The part that has drawn execution `index` of x; '?': none, or more than one. */
static char who_drew(struct alone *a, const struct explorer *x, uint64_t index)
{
    const struct {
        char name;
        struct explorer *sampler;
    } all[] = { { 's', &a->stale }, { 'o', &a->pos }, { 'u', &a->surw }, { 'p', &a->pct } };
    char who = '?';
    unsigned n = 0;

    for (size_t i = 0; i < COUNT_OF(all); i++) {
        execute(all[i].sampler, index);
        if (same_schedule(all[i].sampler, x)) {
            who = all[i].name;
            n++;
        }
    }
    return n == 1 ? who : '?';
}

static void draw_turns(char *turns, const char *mix, const char *pct, uint64_t seed)
{
    struct alone a;
    struct explorer x;

    open_alone(&a, pct, seed);
    explorer_open(&x, &wide, mix, -1, seed);
    for (uint64_t i = 0; i <= LAST; i++) {
        uint64_t by_depth = explorer_totals(&x)->by_depth;

        explorer_all(&x, i + 1);
        turns[i] = who_drew(&a, &x, i);
        /* what the verdict's odds count is what pct has drawn, from the second one on:
         * before, it does not know how long executions are */
        if (turns[i] != '?')
            assert_int_equal(explorer_totals(&x)->by_depth - by_depth, turns[i] == 'p');
    }
    assert_int_equal(explorer_totals(&x)->by_depth, 4 * BLOCKS);
    explorer_close(&x);
    close_alone(&a);
}

static unsigned count(const char *turns, char who)
{
    unsigned n = 0;

    for (unsigned i = 0; i < BLOCK; i++)
        n += turns[i] == who;
    return n;
}

/* After the first block, in which pct and surw learn. */
static void each_sampler_has_its_share_of_every_block(void **state)
{
    static const char *const depth[][2] = { { "mix", "pct:d=3" }, { "mix:d=5", "pct:d=5" } };

    (void)state;
    for (size_t d = 0; d < COUNT_OF(depth); d++) {
        char turns[LAST + 1];

        draw_turns(turns, depth[d][0], depth[d][1], 11 + d);
        for (unsigned b = 1; b < BLOCKS; b++) {
            const char *block = &turns[1 + b * BLOCK];

            assert_int_equal(count(block, 's'), 6);
            assert_int_equal(count(block, 'u'), 4);
            assert_int_equal(count(block, 'p'), 4);
            assert_int_equal(count(block, 'o'), 2);
        }
    }
}

/* 16!/(6! 4! 4! 2!) = 25,225,200 orders: hardly two blocks of 19 are alike. */
static void blocks_and_seeds_differ(void **state)
{
    char one[LAST + 1], other[LAST + 1];

    (void)state;
    draw_turns(one, "mix", "pct", 1);
    draw_turns(other, "mix", "pct", 2);
    for (unsigned b = 1; b < BLOCKS; b++) {
        assert_memory_not_equal(&one[1 + b * BLOCK], &other[1 + b * BLOCK], BLOCK);
        assert_memory_not_equal(&one[1 + b * BLOCK], &one[1 + (b % (BLOCKS - 1) + 1) * BLOCK], BLOCK);
    }
}

/* Worker w of N does executions w, w+N, ...: each of them as one worker alone does it, as
 * far as the samplers learn nothing, and all with a turn of their own. */
static void workers_share_the_indices(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= BLOCK; n *= 2) {
        char turns[LAST + 1];
        uint64_t drawn = 0, by_depth = 0;
        struct alone a;

        draw_turns(turns, "mix", "pct", 5);
        open_alone(&a, "pct", 5);
        for (uint32_t w = 0; w < n; w++) {
            struct explorer x;

            explorer_open_worker(&x, &wide, "mix", -1, 5, NULL, NULL, w, n);
            for (uint64_t i = w; i <= LAST; i += n, drawn++) {
                explorer_all(&x, i / n + 1);
                char who = who_drew(&a, &x, i);

                /* the first ones of a worker may be of surw's profile, or of pct that knows nothing */
                if (turns[i] == 's' || turns[i] == 'o' || who != '?')
                    assert_int_equal(who, turns[i]);
            }
            by_depth += explorer_totals(&x)->by_depth;
            explorer_close(&x);
        }
        assert_int_equal(drawn, LAST + 1);
        assert_int_equal(by_depth, 4 * BLOCKS);
        close_alone(&a);
    }
}

/* What idb runs first: without any delay.  Choices apart, which are drawn here. */
static void the_first_execution_takes_turns(void **state)
{
    unsigned compared = 0;

    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        struct hd_rng rng = hd_rng_for(77, i);
        struct program p;
        struct explorer mix, idb;

        prog_random(&p, &rng);
        explorer_open(&mix, &p, "mix", -1, i);
        explorer_open(&idb, &p, "idb", -1, i);
        explorer_all(&mix, 1);
        explorer_all(&idb, 1);
        assert_int_equal(mix.exec.preemptions, 0);
        if (mix.exec.choices == 0) {
            assert_true(same_schedule(&mix, &idb));
            compared++;
        }
        explorer_close(&mix);
        explorer_close(&idb);
    }
    assert_true(compared > 50);
}

static void a_seed_gives_one_search(void **state)
{
    uint64_t hash[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct explorer x;

        explorer_open(&x, &prog_three_adds, "mix", -1, i == 2 ? 10 : 9);
        explorer_all(&x, 200);
        hash[i] = explorer_totals(&x)->trace_hash;
        explorer_close(&x);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] != hash[2]);
}

/* Choices are drawn in the first execution as in all others. */
static void choices_are_drawn_from_the_first_execution_on(void **state)
{
    unsigned first[3] = { 0, 0, 0 };

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct explorer x;

        explorer_open(&x, &prog_choices, "mix", -1, seed);
        explorer_all(&x, 1);
        for (uint32_t i = 0; i < x.exec.nsteps; i++)
            if (x.exec.decisions[i].alternatives == 3)
                first[x.exec.decisions[i].chosen]++;
        explorer_close(&x);
    }
    /* 60 draws of one in three: below 5 or above 35 has a probability below 0.0001 */
    for (unsigned i = 0; i < 3; i++)
        assert_in_range(first[i], 5, 35);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sampler_has_its_share_of_every_block),
        cmocka_unit_test(blocks_and_seeds_differ),
        cmocka_unit_test(workers_share_the_indices),
        cmocka_unit_test(the_first_execution_takes_turns),
        cmocka_unit_test(a_seed_gives_one_search),
        cmocka_unit_test(choices_are_drawn_from_the_first_execution_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
