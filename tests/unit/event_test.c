/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event_test.c - the table of kinds: complete, unambiguous, and right where the
 * search and the detectors depend on it. */
#include "support/unit.h"

#include "model/event.h"

static void names_are_unique_and_found(void **state)
{
    (void)state;
    for (int k = 1; k < HD_EV_COUNT; k++) {
        assert_non_null(hd_kind_info[k].name);
        assert_non_null(hd_kind_info[k].text);
        EXPECT_EQ(hd_kind_info[k].name, hd_kind_find(hd_kind_info[k].name), (unsigned)k);
        for (int j = 1; j < k; j++)
            assert_string_not_equal(hd_kind_info[j].text, hd_kind_info[k].text);
    }
    assert_int_equal(hd_kind_find("NO_SUCH_KIND"), HD_EV_NONE);
}

static const struct {
    enum hd_kind kind;
    uint8_t ok1, fail1, acc2, traits;
} rows[] = {
    { HD_EV_MUTEX_LOCK, HD_ACC_W, HD_ACC_R, HD_ACC_N, HD_TRAIT_BLOCKS },
    { HD_EV_MUTEX_TRYLOCK, HD_ACC_W, HD_ACC_R, HD_ACC_N, HD_TRAIT_POLLS },
    { HD_EV_SEM_POST, HD_ACC_A, HD_ACC_R, HD_ACC_N, 0 },
    { HD_EV_COND_SIGNAL, HD_ACC_R, HD_ACC_R, HD_ACC_A, 0 },
    { HD_EV_ATOMIC_LOAD, HD_ACC_R, HD_ACC_R, HD_ACC_N, HD_TRAIT_POLLS },
    { HD_EV_ATOMIC_CAS, HD_ACC_W, HD_ACC_R, HD_ACC_N, HD_TRAIT_POLLS },
    { HD_EV_YIELD, HD_ACC_N, HD_ACC_N, HD_ACC_N, HD_TRAIT_YIELDS },
    { HD_EV_STATE_READ, HD_ACC_R, HD_ACC_R, HD_ACC_N, HD_TRAIT_POLLS },
    { HD_EV_STATE_WRITE, HD_ACC_W, HD_ACC_R, HD_ACC_N, HD_TRAIT_POLLS },
    { HD_EV_STATE_UPDATE, HD_ACC_A, HD_ACC_R, HD_ACC_N, 0 },
    { HD_EV_UNKNOWN, HD_ACC_W, HD_ACC_W, HD_ACC_N, 0 },
};

static void accesses_are_as_the_semantics_say(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const struct hd_kind_info *i = &hd_kind_info[rows[r].kind];

        EXPECT_EQ(i->name, i->ok1, rows[r].ok1);
        EXPECT_EQ(i->name, i->fail1, rows[r].fail1);
        EXPECT_EQ(i->name, i->acc2, rows[r].acc2);
        EXPECT_EQ(i->name, i->traits, rows[r].traits);
    }
}

/* Columns that say the same about a lock must agree. */
static void columns_do_not_contradict(void **state)
{
    (void)state;
    for (int k = 1; k < HD_EV_COUNT; k++) {
        const struct hd_kind_info *i = &hd_kind_info[k];
        bool conditional = i->traits & (HD_TRAIT_BLOCKS | HD_TRAIT_TIMED);
        bool takes = i->lock == HD_LOCK_TAKES || i->lock == HD_LOCK_SHARES;

        if (conditional && i->when == HD_WHEN_ALWAYS)
            fail_msg("%s waits for nothing", i->name);
        if (takes && (i->hb != HD_HB_TAKE && i->hb != HD_HB_WRITE_LOCK))
            fail_msg("%s takes a lock and learns nothing", i->name);
        if (takes && (i->change == HD_CHANGE_NONE || i->when == HD_WHEN_ALWAYS))
            fail_msg("%s takes a lock that has no state", i->name);
        if (i->lock == HD_LOCK_GIVES && i->change != HD_CHANGE_DISOWN && i->change != HD_CHANGE_READ_OUT)
            fail_msg("%s gives up a lock and keeps it", i->name);
        if (i->lock == HD_LOCK_GIVES && i->hb != HD_HB_UNLOCK && i->hb != HD_HB_READ_UNLOCK &&
            i->hb != HD_HB_WRITE_UNLOCK)
            fail_msg("%s gives up a lock and passes nothing on", i->name);
        if (i->hb == HD_HB_NONE && i->hb_fail != HD_HB_NONE)
            fail_msg("%s orders only when it fails", i->name);
    }
}

/* A kind that a strategy may have to wait for must not be local: local kinds
 * are no scheduling points. */
static void traits_do_not_contradict(void **state)
{
    (void)state;
    for (int k = 1; k < HD_EV_COUNT; k++) {
        unsigned t = hd_kind_info[k].traits;

        assert_false((t & HD_TRAIT_LOCAL) && (t & ~(unsigned)HD_TRAIT_LOCAL));
        assert_false((t & HD_TRAIT_BLOCKS) && (t & HD_TRAIT_POLLS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_found),
        cmocka_unit_test(accesses_are_as_the_semantics_say),
        cmocka_unit_test(columns_do_not_contradict),
        cmocka_unit_test(traits_do_not_contradict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
