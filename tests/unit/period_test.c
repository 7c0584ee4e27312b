/* SPDX-License-Identifier: BSD-2-Clause
 *
 * period_test.c - when the last events of an execution count as repetitions of a round. */
#include "support/unit.h"

#include "runtime/progress/period.h"

enum { ROUND = 3, N = 12 };

static struct hd_event events[N];

/* Four rounds of a load, a failed attempt and a plain read. */
static void set_up(void)
{
    static const uint8_t kinds[ROUND] = { HD_EV_ATOMIC_LOAD, HD_EV_MUTEX_TRYLOCK, HD_EV_PLAIN_READ };

    for (unsigned i = 0; i < N; i++)
        events[i] = (struct hd_event){ .tid = 1, .kind = kinds[i % ROUND], .obj = 10 + i % ROUND,
                                       .pc = 100 + i % ROUND, .value = i % ROUND,
                                       .flags = i % ROUND == 1 ? HD_EVF_FAILED : 0 };
}

static bool repeats(uint32_t n, enum hd_same same)
{
    return hd_period_repeats(events + N, ROUND, n, same);
}

static void test_whole_execution(void **state)
{
    (void)state;
    set_up();
    assert_true(repeats(N - ROUND, HD_SAME_OPERATION));
    assert_true(repeats(N - ROUND, HD_SAME_RESULT));
    assert_false(hd_period_repeats(events + N, 2, N - 2, HD_SAME_OPERATION));
}

/* The first of the compared events is that before end by n, and it is compared with one a round earlier. */
static void test_only_the_last_events_count(void **state)
{
    (void)state;
    set_up();
    events[2].pc++;
    assert_true(repeats(N - 2 * ROUND, HD_SAME_OPERATION));
    assert_false(repeats(N - 2 * ROUND + 1, HD_SAME_OPERATION));
}

static bool same(const struct hd_event *b, enum hd_same same)
{
    return hd_period_same(&events[0], b, same);
}

static void test_what_may_differ(void **state)
{
    (void)state;
    set_up();
    struct hd_event other = events[0];

    other.value++;
    assert_true(same(&other, HD_SAME_OPERATION));
    assert_false(same(&other, HD_SAME_RESULT));
    other = events[0];
    other.flags |= HD_EVF_SAME;
    assert_true(same(&other, HD_SAME_OPERATION));
    assert_false(same(&other, HD_SAME_RESULT));
    other = events[0];
    other.flags |= HD_EVF_FAILED;
    assert_false(same(&other, HD_SAME_OPERATION));
    other = events[0];
    other.obj++;
    assert_false(same(&other, HD_SAME_OPERATION));
    other = events[0];
    other.tid++;
    assert_false(same(&other, HD_SAME_OPERATION));
    other = events[0];
    other.flags |= HD_EVF_PREEMPTED;
    assert_true(same(&other, HD_SAME_RESULT));
}

static void test_plain_accesses_may_use_another_block(void **state)
{
    (void)state;
    set_up();
    struct hd_event other = events[2];

    other.obj++;
    assert_true(hd_period_same(&events[2], &other, HD_SAME_OPERATION));
    assert_false(hd_period_same(&events[2], &other, HD_SAME_RESULT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_execution),
        cmocka_unit_test(test_only_the_last_events_count),
        cmocka_unit_test(test_what_may_differ),
        cmocka_unit_test(test_plain_accesses_may_use_another_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
