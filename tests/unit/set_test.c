/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set_test.c - bit sets against an array of flags. */
#include "support/unit.h"

#include "base/rng.h"
#include "base/set.h"

static const struct {
    const char *name;
    unsigned member[4];
    unsigned n;
} rows[] = {
    { "empty", { 0 }, 0 },
    { "smallest", { 0 }, 1 },
    { "largest", { HD_MAX_THREADS - 1 }, 1 },
    { "around a word", { 63, 64, 127, 128 }, 4 },
};

static void members_are_found_in_order(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct hd_set s;
        unsigned i = 0;

        hd_set_clear(&s);
        for (unsigned k = 0; k < rows[r].n; k++)
            hd_set_add(&s, rows[r].member[k]);
        EXPECT_EQ(rows[r].name, hd_set_count(&s), rows[r].n);
        EXPECT_EQ(rows[r].name, hd_set_is_empty(&s), rows[r].n == 0);
        HD_SET_EACH(id, &s)
            EXPECT_EQ(rows[r].name, id, rows[r].member[i++]);
        EXPECT_EQ(rows[r].name, i, rows[r].n);
        EXPECT_EQ(rows[r].name, hd_set_next(&s, HD_MAX_THREADS), HD_MAX_THREADS);
    }
}

static void agrees_with_flags(void **state)
{
    struct hd_rng rng = hd_rng_for(1, 1);
    bool flag[HD_MAX_THREADS] = { false };
    struct hd_set s;

    (void)state;
    hd_set_clear(&s);
    for (int i = 0; i < 10000; i++) {
        unsigned id = hd_rng_below(&rng, HD_MAX_THREADS);
        unsigned next = id;

        switch (hd_rng_below(&rng, 3)) {
        case 0: hd_set_add(&s, id); flag[id] = true; break;
        case 1: hd_set_remove(&s, id); flag[id] = false; break;
        default: flag[id] = !flag[id]; hd_set_put(&s, id, flag[id]); break;
        }
        assert_int_equal(hd_set_has(&s, id), flag[id]);
        while (next < HD_MAX_THREADS && !flag[next])
            next++;
        assert_int_equal(hd_set_next(&s, id), next);
    }
}

static void minus_keeps_what_is_only_in_the_first(void **state)
{
    struct hd_set a, b;

    (void)state;
    hd_set_clear(&a);
    hd_set_clear(&b);
    hd_set_add(&a, 3);
    hd_set_add(&a, 200);
    hd_set_add(&b, 200);
    hd_set_add(&b, 7);
    struct hd_set c = hd_set_minus(&a, &b);

    assert_int_equal(hd_set_count(&c), 1);
    assert_true(hd_set_has(&c, 3));
}

/* What a set has not written may hold anything. */
static void words_that_do_not_count_do_not_matter(void **state)
{
    struct hd_set a, b;

    (void)state;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0xff, sizeof b);
    hd_set_clear(&a);
    assert_true(hd_set_is_empty(&a));
    assert_false(hd_set_has(&a, 700));
    hd_set_remove(&a, 900);
    assert_true(hd_set_is_empty(&a));
    hd_set_add(&a, 700);
    hd_set_copy(&b, &a);
    assert_int_equal(hd_set_count(&b), 1);
    hd_set_clear(&b);
    hd_set_add(&b, 3);
    hd_set_add_all(&b, &a);
    assert_int_equal(hd_set_next(&b, 4), 700);
    assert_int_equal(hd_set_next(&b, 701), HD_MAX_THREADS);
    struct hd_set c = hd_set_minus(&b, &a);

    assert_int_equal(hd_set_count(&c), 1);
    assert_true(hd_set_has(&c, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found_in_order),
        cmocka_unit_test(agrees_with_flags),
        cmocka_unit_test(minus_keeps_what_is_only_in_the_first),
        cmocka_unit_test(words_that_do_not_count_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
