/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filter_test.c - --within and --without on whole call stacks.  The vectors are those
 * of the Landslide papers: a lock taken in malloc, and one taken in cond_wait. */
#include "support/unit.h"

#include "model/filter.h"

/* Functions are numbered; the code of number n is [16 n, 16 n + 16). */
enum { LOCK = 1, MALLOC, THR_CREATE, COND_WAIT, THR_JOIN, MAIN };

static const int stack1[] = { LOCK, MALLOC, THR_CREATE, MAIN };
static const int stack2[] = { LOCK, COND_WAIT, THR_JOIN, MAIN };

static void add(struct hd_filters *f, bool within, int function)
{
    f->ranges[f->nranges++] =
        (struct hd_filter_range){ 16u * (unsigned)function, 16u * (unsigned)function + 16, f->n };
    f->within[f->n++] = within;
}

/* With the first, middle and last address of each function, in both orders. */
static bool decide(const struct hd_filters *f, const int *stack)
{
    bool first = false;

    for (unsigned offset = 0; offset < 16; offset += 5) {
        int up = -1, down = -1;

        for (int i = 0; i < 4; i++) {
            up = hd_filter_match(f, 16u * (unsigned)stack[i] + offset, up);
            down = hd_filter_match(f, 16u * (unsigned)stack[3 - i] + offset, down);
        }
        assert_int_equal(up, down);
        if (offset == 0)
            first = hd_filter_accepts(f, up);
        assert_int_equal(hd_filter_accepts(f, up), first);
    }
    return first;
}

static void expect(const struct hd_filters *f, bool one, bool two)
{
    assert_int_equal(decide(f, stack1), one);
    assert_int_equal(decide(f, stack2), two);
}

static void without_filters_everything_is_a_point(void **state)
{
    struct hd_filters f = { 0 };

    (void)state;
    expect(&f, true, true);
}

static void the_last_match_decides(void **state)
{
    struct hd_filters f = { 0 }, g = { 0 };

    (void)state;
    add(&f, true, LOCK);
    add(&f, false, MALLOC);
    expect(&f, false, true);
    add(&g, false, MAIN);
    add(&g, true, LOCK);
    expect(&g, true, true);
}

static void within_leaves_out_the_rest(void **state)
{
    struct hd_filters f = { 0 };

    (void)state;
    add(&f, true, THR_JOIN);
    expect(&f, false, true);
}

static void without_leaves_the_rest_in(void **state)
{
    struct hd_filters f = { 0 };

    (void)state;
    add(&f, false, COND_WAIT);
    expect(&f, true, false);
}

/* A name may stand for several functions: all of them are one filter. */
static void copies_of_a_function_count_as_one(void **state)
{
    struct hd_filters f = { 0 };

    (void)state;
    add(&f, true, LOCK);
    add(&f, false, MALLOC);
    f.ranges[f.nranges++] = (struct hd_filter_range){ 16 * COND_WAIT, 16 * COND_WAIT + 16, 1 };
    expect(&f, false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_filters_everything_is_a_point),
        cmocka_unit_test(the_last_match_decides),
        cmocka_unit_test(within_leaves_out_the_rest),
        cmocka_unit_test(without_leaves_the_rest_in),
        cmocka_unit_test(copies_of_a_function_count_as_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
